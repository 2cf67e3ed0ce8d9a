import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { SMTPServer } from "smtp-server";

/** A server of the program that sends e-mail, and the mailbox that receives all of it. */
export interface Mailing {
  baseURL: string;
  /** The next message to an address, as received. */
  letter: () => Promise<string>;
  stop: () => Promise<void>;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/** A mailbox that accepts every message. */
async function mailbox() {
  const arrived: string[] = [];
  const waiting: ((letter: string) => void)[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: async (stream, _session, done) => {
      let letter = "";
      for await (const part of stream) letter += String(part);
      const next = waiting.shift();
      if (next) next(letter);
      else arrived.push(letter);
      done();
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    port: (server.server.address() as AddressInfo).port,
    letter: async () => arrived.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve))),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

async function ready(program: ChildProcess): Promise<void> {
  if (!program.stdout) throw new Error("the program has no output");
  for await (const line of createInterface({ input: program.stdout })) {
    if (line.includes("Shelfwise is ready at")) return;
  }
  throw new Error("the program ended");
}

/** Starts both, on folders and ports of their own. */
export async function startMailing(binary: string): Promise<Mailing> {
  const [box, port, folder] = [await mailbox(), await freePort(), mkdtempSync(join(tmpdir(), "shelfwise-mail-"))];
  const baseURL = `http://127.0.0.1:${port}`;
  const args = ["serve", "--listen", `127.0.0.1:${port}`, "--data-dir", folder, "--public-url", baseURL];
  const program = spawn(binary, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      RUST_LOG: "warn",
      SHELFWISE_MAIL_URL: `smtp://127.0.0.1:${box.port}`,
      SHELFWISE_MAIL_FROM: "Shelfwise <books@example.org>",
    },
  });
  await ready(program);
  return {
    baseURL,
    letter: box.letter,
    stop: async () => {
      program.kill("SIGTERM");
      await once(program, "exit");
      await box.close();
      rmSync(folder, { recursive: true });
    },
  };
}
