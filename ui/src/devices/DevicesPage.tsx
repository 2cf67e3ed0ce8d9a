import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { hasPassagesOnly, quoteFileRefusal } from "../find/quoteFile";
import type { Device } from "../kit/api/types";
import { paths } from "../kit/paths";
import { BackLink } from "../kit/ui/BackLink";
import { Block } from "../kit/ui/Block";
import { Button } from "../kit/ui/Button";
import { Empty } from "../kit/ui/Empty";
import { Fetched } from "../kit/ui/Fetched";
import { DropField } from "../kit/ui/FileField";
import { Leader, Leaders } from "../kit/ui/Leaders";
import { Page } from "../kit/ui/Page";
import { toast } from "../kit/ui/toast";
import { useStepFocus } from "../kit/ui/useStepFocus";
import { readFile } from "../library/import/api";
import { devicesQuery, documentsQuery } from "./api";
import { NewDeviceDialog } from "./DeviceDialogs";
import { DeviceFile, type FileStep } from "./DeviceFile";
import { DeviceList } from "./DeviceList";
import css from "./Devices.module.css";
import { Questions, Unknown } from "./Documents";
import { FILES, fileRefusal } from "./fileModel";
import { AllSteps } from "./Steps";
import { TryAddress } from "./TryAddress";

/** Reads a file once, and says what it is. */
async function read(file: File): Promise<FileStep> {
  const step = await readFile(file, fileRefusal);
  if (step.at === "refused" || !(await hasPassagesOnly(file))) return step;
  const sentence = quoteFileRefusal(file.name, file.size);
  return sentence ? { at: "refused", name: file.name, size: file.size, sentence } : { at: "quotes", file: step.file };
}

/** The devices that report what is read, what they ask, and how to set them up. */
export default function DevicesPage() {
  const devices = useQuery(devicesQuery);
  const documents = useQuery(documentsQuery);
  const [making, setMaking] = useState(false);
  const [file, setFile] = useState<FileStep>();
  const main = useStepFocus<HTMLDivElement>(file ?? "none");
  const take = async (chosen: File | undefined) => {
    if (chosen) setFile(await read(chosen));
    else toast({ title: "Please select a file", destructive: true });
  };
  return (
    <Page title="Devices">
      <BackLink href={paths.account("connections")}>Connections</BackLink>
      <div className="page-head">
        <div>
          <h1 className="h1">Devices</h1>
          <p className="aside-text">What you read elsewhere moves your books along here</p>
        </div>
        <Button icon="plus" variant={file ? "outline" : "primary"} onClick={() => setMaking(true)}>
          New device
        </Button>
      </div>
      <div className={css.page}>
        <div className={css.parts} ref={main} tabIndex={-1}>
          {file && <DeviceFile step={file} onStep={setFile} />}
          <Fetched query={documents} waiting="Fetching what they read" failed="What they read could not be loaded.">
            {(data) => <Questions documents={data} />}
          </Fetched>
          <Fetched query={devices} waiting="Fetching your devices" failed="Your devices could not be loaded.">
            {(data) => <Reporting devices={data} />}
          </Fetched>
          {documents.data && <Unknown documents={documents.data} />}
        </div>
        <div className={css.parts}>
          <Block title="A file from a device">
            <DropField
              icon="upload"
              label="Drop a file from a device, or choose one"
              hint="statistics.sqlite3, KoboReader.sqlite, Calibre’s metadata.db, Amazon’s Kindle zip, or any table of days; up to 64 MB. For quotes My Clippings.txt, Readwise’s CSV or KOReader’s JSON; up to 10 MB"
              accept={FILES}
              onFile={take}
            />
          </Block>
          <Block title="How it counts">
            <Leaders>
              <Leader name="Where you are">from progress sync</Leader>
              <Leader name="Days and minutes">from statistics or a file</Leader>
              <Leader name="Finished">asked, never assumed</Leader>
            </Leaders>
            <p className="hint">
              What you type yourself wins over what a device says. Statistics are taken and never given back: KOReader
              deletes on the device what the file on its server lacks. So each device needs a login of its own.
            </p>
          </Block>
          <Block title="Steps for each device">
            <AllSteps />
          </Block>
        </div>
      </div>
      {making && <NewDeviceDialog onClose={() => setMaking(false)} />}
    </Page>
  );
}

function Reporting({ devices }: { devices: readonly Device[] }) {
  if (devices.length === 0) {
    return <Empty title="Nothing reports yet">KOReader needs no plugin: it has all of this built in.</Empty>;
  }
  return (
    <Block title="Your devices">
      <DeviceList devices={devices} />
      <TryAddress />
    </Block>
  );
}
