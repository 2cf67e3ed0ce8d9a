import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BELOW, type Below, startProxy, stopProxy } from "./below";
import { freePort } from "./providers";

/** The header of every answer of the server, for answers that a test gives in its place. */
export const OURS = { "Shelfwise-Version": "1.0.0" };

/** A server for one test, with settings of its own, on a free port. */
export class OwnServer {
  private process?: ChildProcess;
  private proxy?: Server;
  /** The log so far, when `start` was called to keep it. */
  log = "";

  private constructor(
    readonly url: string,
    readonly folder: string,
    private readonly below: Below | null,
  ) {}

  /** Takes an address; `start` then serves there, `below` a path behind a proxy. */
  static async at(below = BELOW): Promise<OwnServer> {
    const url = `http://127.0.0.1:${await freePort()}${below?.path ?? ""}`;
    return new OwnServer(url, mkdtempSync(join(tmpdir(), "shelfwise-own-")), below);
  }

  /** Starts the server. Its log is kept, or else only its errors are shown. */
  async start(settings: string, keepsLog = false): Promise<void> {
    const { BINARY } = process.env;
    if (!BINARY) throw new Error("BINARY names the program");
    const config = join(this.folder, "config.toml");
    writeFileSync(config, settings);
    const port = Number(new URL(this.url).port);
    const own = this.below ? await freePort() : port;
    const args = ["serve", "--listen", `127.0.0.1:${own}`, "--data-dir", join(this.folder, "data"), "--config", config];
    if (this.below) args.push("--public-url", this.url);
    const env: NodeJS.ProcessEnv = keepsLog ? {} : { RUST_LOG: "error" };
    this.process = spawn(BINARY, args, { stdio: ["ignore", "pipe", keepsLog ? "pipe" : "inherit"], env });
    this.process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.log += text;
    });
    await this.ready(this.process);
    if (this.below) this.proxy = await startProxy(this.below, port, own);
  }

  /** Waits for the line that says that the server is ready. A setup code that is printed before would be replaced. */
  private ready(process: ChildProcess): Promise<void> {
    return new Promise((resolve, reject) => {
      let printed = "";
      process.stdout?.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
        if (printed.includes("is ready at")) resolve();
      });
      process.once("exit", (code) => reject(new Error(`The server ended with ${code}: ${printed}`)));
    });
  }

  /** Suspends the server: connections are still accepted, and nothing is answered until it goes on. */
  suspend(): void {
    this.process?.kill("SIGSTOP");
  }

  /** Lets a suspended server go on. */
  resume(): void {
    this.process?.kill("SIGCONT");
  }

  async stop(): Promise<void> {
    if (!this.process || this.process.exitCode !== null) return;
    if (this.proxy) await stopProxy(this.proxy);
    this.resume();
    this.process.kill("SIGTERM");
    await once(this.process, "exit");
  }
}
