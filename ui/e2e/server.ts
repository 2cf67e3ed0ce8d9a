import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./providers";

/** The header of every answer of the server, for answers that a test gives in its place. */
export const OURS = { "Shelfwise-Version": "1.0.0" };

/** A server for one test, with settings of its own, on a free port. */
export class OwnServer {
  private process?: ChildProcess;
  /** The log so far, when `start` was called to keep it. */
  log = "";

  private constructor(
    readonly url: string,
    readonly folder: string,
  ) {}

  /** Takes an address; `start` then serves there. */
  static async at(): Promise<OwnServer> {
    return new OwnServer(`http://127.0.0.1:${await freePort()}`, mkdtempSync(join(tmpdir(), "shelfwise-own-")));
  }

  /** Starts the server. Its log is kept, or else only its errors are shown. */
  async start(settings: string, keepsLog = false): Promise<void> {
    const { BINARY } = process.env;
    if (!BINARY) throw new Error("BINARY names the program");
    const config = join(this.folder, "config.toml");
    writeFileSync(config, settings);
    const listen = this.url.replace("http://", "");
    const args = ["serve", "--listen", listen, "--data-dir", join(this.folder, "data"), "--config", config];
    const env: NodeJS.ProcessEnv = keepsLog ? {} : { RUST_LOG: "error" };
    this.process = spawn(BINARY, args, { stdio: ["ignore", "pipe", keepsLog ? "pipe" : "inherit"], env });
    this.process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.log += text;
    });
    await this.ready(this.process);
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
    this.resume();
    this.process.kill("SIGTERM");
    await once(this.process, "exit");
  }
}
