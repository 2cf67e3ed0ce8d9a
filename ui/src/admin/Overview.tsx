import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useIsPrivate, useSite } from "../access/site";
import type { SystemAnalytics } from "../kit/api/types";
import { KpiStrip } from "../kit/ui/KpiStrip";
import { Panel, Panels } from "../kit/ui/Panel";
import { devicesQuery, locationQuery, systemQuery, userAnalyticsQuery } from "./api";
import { Backups } from "./Backups";
import { HealthPanel } from "./HealthPanel";
import { insightsOf, loadOf, rankedDevices, rankedPlaces } from "./model";
import { FetchError, hasNeverLoaded, More, Status } from "./Panel";
import { PlanSwitch } from "./PlanSwitch";
import { RankedList } from "./RankedList";

/** How the server is used and loaded, refreshed while the page is open. */
export function Overview() {
  const { data: site } = useSite();
  const isPrivate = useIsPrivate();
  return (
    <>
      <SystemLoad />
      <HealthPanel />
      <UserInsights />
      <Panels>
        <Locations />
        <Devices />
      </Panels>
      <Backups />
      {site?.planSwitcher && !isPrivate && <PlanSwitch />}
    </>
  );
}

const LOADS: Record<SystemAnalytics["loadStatus"], string> = {
  green: "Balanced",
  orange: "Underutilized",
  red: "High load",
};

function SystemLoad() {
  const system = useQuery(systemQuery);
  const { data } = system;
  return (
    <Panel
      title="System Load"
      ruled={false}
      end={data && <Status kind={data.loadStatus}>{LOADS[data.loadStatus]}</Status>}
    >
      {!hasNeverLoaded(system) && <KpiStrip kpis={loadOf(data)} columns={5} />}
      <FetchError asked={system} what="The system load" />
    </Panel>
  );
}

function UserInsights() {
  const users = useQuery(userAnalyticsQuery);
  const [expanded, setExpanded] = useState(false);
  return (
    <Panel title="User Insights" end={<More of="User Insights" expanded={expanded} onExpand={setExpanded} />}>
      {!hasNeverLoaded(users) && <KpiStrip kpis={insightsOf(users.data, expanded)} columns={4} bare />}
      <FetchError asked={users} what="The figures about users" />
    </Panel>
  );
}

function Locations() {
  const location = useQuery(locationQuery);
  return (
    <RankedList
      title="Location Analytics"
      rows={location.data && rankedPlaces(location.data)}
      empty="No location data available yet"
      hint={
        location.data?.available === false &&
        "Places need a GeoIP database file, named in the config under geoip_database. None is configured."
      }
      asked={location}
    />
  );
}

function Devices() {
  const devices = useQuery(devicesQuery);
  return (
    <RankedList
      title="Device Analytics"
      rows={devices.data && rankedDevices(devices.data)}
      empty="No device data available yet"
      asked={devices}
    />
  );
}
