import { createServer, request, type Server } from "node:http";

/** The way of a proxy to serve a program below a path of its host. */
export interface Below {
  /** The path: `/books`. */
  path: string;
  /** Whether the program gets addresses without the path. */
  strips: boolean;
  /** Whether every other address of the host leads below the path, so that a test need not know it. Otherwise there is nothing. */
  leads: boolean;
}

const { BASE_PATH, PROXY } = process.env;

/** The path below which the whole suite runs, behind a proxy that strips or keeps it: `BASE_PATH=/books PROXY=strip`. */
export const BELOW: Below | null = BASE_PATH ? { path: BASE_PATH, strips: PROXY === "strip", leads: true } : null;

/** An address of the server as a browser names it. */
export const withPath = (address: string) => `${BELOW?.path ?? ""}${address}`;

/** The path of an address as the server knows it. */
export function pathOf(address: string | URL): string {
  const { pathname } = new URL(address);
  return pathname.startsWith(`${BELOW?.path}/`) ? pathname.slice(BELOW?.path.length) : pathname;
}

/** Starts the proxy between two ports of this machine. */
export async function startProxy({ path, strips, leads }: Below, port: number, to: number): Promise<Server> {
  const server = createServer((asked, answer) => {
    const { method, headers, url = "/" } = asked;
    const isBelow = url === path || url.startsWith(`${path}/`) || url.startsWith(`${path}?`);
    if (!isBelow) {
      answer.writeHead(leads ? 307 : 404, leads ? { Location: path + url } : {}).end();
      return;
    }
    const rest = url.slice(path.length);
    const sent = strips ? (rest.startsWith("/") ? rest : `/${rest}`) : url;
    const passed = request({ host: "127.0.0.1", port: to, path: sent, method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.rawHeaders);
      got.pipe(answer);
    });
    const fail = () => answer.destroy();
    passed.on("error", fail);
    answer.on("close", () => passed.destroy());
    asked.on("error", fail).pipe(passed);
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  return server;
}

/** Ends the proxy with its connections. */
export function stopProxy(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}

/** Starts the proxy in front of the server that all tests share, for Playwright, which calls what it returns at the end. */
export default async function startSharedProxy() {
  const port = Number(process.env.PORT ?? 18_080);
  const proxy = BELOW && (await startProxy(BELOW, port, port + 1));
  return () => proxy && stopProxy(proxy);
}
