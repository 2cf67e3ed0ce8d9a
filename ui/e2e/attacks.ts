import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Attacks on a server from a browser: pages of other sites, and addresses that lead away. */

/** Another site: an empty page at every path. `/go?to=` redirects a request with its method and body. */
export class OtherSite {
  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  /** On this machine: `localhost` is another site than 127.0.0.1, and another port there is the same site. */
  static async at(host: string): Promise<OtherSite> {
    const server = createServer((request, response) => {
      const to = new URL(request.url ?? "/", "http://x").searchParams.get("to");
      if (to) response.writeHead(307, { location: to }).end();
      else response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Free books</title>");
    });
    await new Promise<void>((done) => server.listen(0, host, done));
    return new OtherSite(`http://${host}:${(server.address() as AddressInfo).port}`, server);
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(() => done()));
  }
}

/** A call that changes something, with a body that would do so. */
export interface Unsafe {
  method: string;
  path: string;
  body: unknown;
}

/** Runs in the other site's page: sends every call in every way that a page can. */
export async function attack({ base, calls }: { base: string; calls: readonly Unsafe[] }): Promise<void> {
  const quietly = (sent: Promise<unknown>) => sent.catch(() => undefined);
  const there = (element: HTMLElement) =>
    new Promise<void>((done) => {
      element.addEventListener("load", () => done(), { once: true });
      element.addEventListener("error", () => done(), { once: true });
      document.body.append(element);
    }).then(() => element.remove());
  const hidden = (body: unknown) => {
    // A form's text/plain is `name=value`, which can be made to look like JSON.
    const [start, end] = JSON.stringify({ ...Object(body), "": "" }).split('"":"', 2);
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name: `${start}"":"`, value: end });
    return input;
  };
  const byForm = async (action: string, body: unknown, enctype: string, sandbox: boolean) => {
    const frame = document.createElement("iframe");
    frame.name = `frame-${Math.random()}`;
    const form = document.createElement("form");
    Object.assign(form, { action, method: "post", enctype, target: sandbox ? "_self" : frame.name });
    form.append(hidden(body));
    if (sandbox) {
      // A page without an origin.
      frame.sandbox.add("allow-scripts", "allow-forms");
      frame.srcdoc = `${form.outerHTML}<script>onload = () => setTimeout(() => document.forms[0].submit())</script>`;
      const twice = new Promise<void>((done) => {
        let loads = 0;
        frame.addEventListener("load", () => ++loads === 2 && done());
      });
      document.body.append(frame);
      await twice;
      frame.remove();
      return;
    }
    document.body.append(frame, form);
    const loaded = new Promise<void>((done) => frame.addEventListener("load", () => done(), { once: true }));
    form.submit();
    await loaded;
    frame.remove();
    form.remove();
  };
  for (const { method, path, body } of calls) {
    const [url, text] = [base + path, JSON.stringify(body)];
    const file = new FormData();
    file.append("file", new Blob(["Title,Author\nEvil,Mallory\n"]), "books.csv");
    const plain = {
      method: "POST",
      credentials: "include",
      headers: { "content-type": "text/plain" },
      body: text,
    } as const;
    await quietly(fetch(url, { ...plain, mode: "no-cors" }));
    await quietly(fetch(url, { ...plain, mode: "cors" }));
    await quietly(fetch(url, { ...plain, mode: "no-cors", headers: {}, body: file }));
    await quietly(fetch(url, { ...plain, method, headers: { "content-type": "application/json" } }));
    await quietly(fetch(url, { method, credentials: "include" }));
    await quietly(fetch(`/go?to=${encodeURIComponent(url)}`, { ...plain, mode: "no-cors" }));
    navigator.sendBeacon(url, new Blob([text], { type: "text/plain" }));
    for (const enctype of ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]) {
      await byForm(url, body, enctype, false);
    }
    await byForm(url, body, "text/plain", true);
    await byForm(`/go?to=${encodeURIComponent(url)}`, body, "text/plain", false);
    await there(Object.assign(new Image(), { src: url }));
    await there(Object.assign(document.createElement("script"), { src: url }));
    await there(Object.assign(document.createElement("link"), { rel: "stylesheet", href: url }));
    await there(Object.assign(document.createElement("iframe"), { src: url }));
  }
}
