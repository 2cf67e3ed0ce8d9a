import { useState } from "react";
import { useZone } from "../access/zone";
import type { Device } from "../kit/api/types";
import { counted, instantDate } from "../kit/format";
import { Alert } from "../kit/ui/Alert";
import { Badge } from "../kit/ui/Badge";
import { Button, IconButton } from "../kit/ui/Button";
import { FocusedItems, Item } from "../kit/ui/Items";
import { Menu, MenuItem } from "../kit/ui/Menu";
import { useChangeDevice } from "./api";
import { NewPasswordDialog, RenameDialog, StepsDialog, TakeBackDialog } from "./DeviceDialogs";
import { deviceFacts } from "./model";

const DIALOGS = {
  rename: RenameDialog,
  password: NewPasswordDialog,
  steps: StepsDialog,
  "take-back": TakeBackDialog,
};

/** The reader's devices, with the ways to change each. */
export function DeviceList({ devices }: { devices: readonly Device[] }) {
  const [doing, setDoing] = useState<{ what: keyof typeof DIALOGS; device: Device }>();
  const Doing = doing && DIALOGS[doing.what];
  return (
    <>
      {devices.map((device) => (
        <Clock key={device.id} device={device} />
      ))}
      <FocusedItems rows={devices} empty={null}>
        {devices.map((device) => (
          <One key={device.id} device={device} onDo={(what) => setDoing({ what, device })} />
        ))}
      </FocusedItems>
      {doing && Doing && <Doing device={doing.device} onClose={() => setDoing(undefined)} />}
    </>
  );
}

function One({ device, onDo }: { device: Device; onDo: (what: keyof typeof DIALOGS) => void }) {
  const zone = useZone();
  const day = (instant: string) => instantDate(instant, zone);
  return (
    <Item
      icon="phone"
      title={device.name}
      badge={!device.lastSeenAt && <Badge>waiting</Badge>}
      hint={`${deviceFacts(device, day)}. User name ${device.login}`}
      action={
        <Menu trigger={<IconButton icon="dots" label={`Actions for ${device.name}`} compact />}>
          <MenuItem icon="settings" onSelect={() => onDo("rename")}>
            Rename
          </MenuItem>
          <MenuItem icon="key" onSelect={() => onDo("password")}>
            New password
          </MenuItem>
          <MenuItem icon="list" onSelect={() => onDo("steps")}>
            Steps to set it up
          </MenuItem>
          <MenuItem icon="trash" destructive onSelect={() => onDo("take-back")}>
            Take back
          </MenuItem>
        </Menu>
      }
    />
  );
}

/** The question about a clock that is ahead. */
function Clock({ device }: { device: Device }) {
  const { mutate, isPending } = useChangeDevice();
  const ahead = device.clockOffsetProposed;
  if (ahead === null) return null;
  const answer = (clockOffset: number) => mutate({ id: device.id, clockOffset });
  return (
    <Alert kind="note">
      <strong>Is the clock of {device.name} ahead?</strong> It seems to be {counted(ahead, "minute")} ahead, which moves
      evenings to the next day.{" "}
      <Button size="compact" disabled={isPending} onClick={() => answer(ahead)}>
        Count with {counted(ahead, "minute")} less
      </Button>{" "}
      <Button size="compact" variant="quiet" disabled={isPending} onClick={() => answer(device.clockOffset)}>
        It is right
      </Button>
    </Alert>
  );
}
