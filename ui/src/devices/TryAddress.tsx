import { useMutation } from "@tanstack/react-query";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { tryAddress } from "./api";
import css from "./Devices.module.css";

/** Asks this server's address for devices as a device does, and says what came back. */
export function TryAddress() {
  const { mutate, data, isPending } = useMutation({ mutationFn: tryAddress });
  return (
    <div className={css.try}>
      <Button size="compact" busy={isPending && "Trying..."} onClick={() => mutate()}>
        Try this address
      </Button>
      {data === "reached" && <Alert kind="ok">Devices that can open this address reach Shelfwise.</Alert>}
      {data === "another page" && (
        <Alert kind="danger">
          A proxy in front of this server answers with a page of its own. Let it pass the paths /kosync and /dav without
          a login: devices show their own.
        </Alert>
      )}
      {data === "nothing" && <Alert kind="danger">Nothing answered. Check the connection and the address.</Alert>}
    </div>
  );
}
