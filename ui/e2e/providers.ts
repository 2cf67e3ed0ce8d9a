import { createHash, createHmac, createPublicKey, verify } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** Sign-in providers on this machine: a certified OpenID Connect server, and two that speak plain OAuth 2. */

/** On another site than Shelfwise, which is at 127.0.0.1, so that cookies behave as on the network. */
const HOST = "localhost";

export const CLIENT = "shelfwise";
export const SECRET = "a secret of the tests: it opens nothing";

export interface Running {
  url: string;
  stop: () => Promise<void>;
}

export async function listen(handler: (request: IncomingMessage, response: ServerResponse) => void, port = 0) {
  const server = createServer(handler);
  await new Promise<void>((done) => server.listen(port, HOST, done));
  return { server, url: `http://${HOST}:${(server.address() as AddressInfo).port}` };
}

export function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}

/** A free port. */
export async function freePort(): Promise<number> {
  const { server } = await listen(() => undefined);
  const { port } = server.address() as AddressInfo;
  await stop(server);
  return port;
}

interface Certified {
  /** The callback address. */
  redirectUris: readonly string[];
  /** Whether the address is in the identity token, as with most providers; by the standard it is queried. */
  inToken: boolean;
  /** Apple's way: accepts a proof signed by this key instead of the secret. */
  publicKey?: string;
  /** A person's groups, in a claim and a scope of that name. */
  groups?: (login: string) => readonly string[];
  /** Where people may go after logging out. */
  afterwards?: readonly string[];
}

/**
 * `oidc-provider` with its own pages: a person who types `nora` there is nora@example.org, and `rosa-unconfirmed` has
 * an unconfirmed address.
 */
export async function certified(options: Certified): Promise<Running> {
  const { redirectUris, inToken, publicKey, groups, afterwards = [] } = options;
  const port = await freePort();
  const url = `http://${HOST}:${port}`;
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT,
        client_secret: SECRET,
        redirect_uris: [...redirectUris],
        post_logout_redirect_uris: [...afterwards],
        token_endpoint_auth_method: publicKey ? "client_secret_post" : "client_secret_basic",
      },
    ],
    scopes: ["openid", "email", "profile", "name", ...(groups ? ["groups"] : [])],
    claims: { email: ["email", "email_verified"], profile: ["name"], ...(groups && { groups: ["groups"] }) },
    conformIdTokenClaims: !inToken,
    cookies: { keys: ["tests"] },
    pkce: { required: () => true },
    findAccount: (_, login) => ({
      accountId: login,
      claims: () => ({
        sub: login,
        email: `${login}@example.org`,
        email_verified: !login.endsWith("unconfirmed"),
        name: `${login.charAt(0).toUpperCase()}${login.slice(1)} of Elsewhere`,
        ...(groups && { groups: [...groups(login)] }),
      }),
    }),
  });
  if (publicKey) {
    const key = createPublicKey(publicKey);
    // The library's own hook for another comparison of secrets.
    provider.Client.prototype.compareClientSecret = (proof: string) => isSignedBy(key, proof, url);
  }
  const { server } = await listen(provider.callback(), port);
  return { url, stop: () => stop(server) };
}

/** Whether Apple would accept a proof: ES256, from the team, for the issuer, valid for minutes. */
function isSignedBy(key: ReturnType<typeof createPublicKey>, proof: string, issuer: string): boolean {
  const [header = "", payload = "", signature = ""] = proof.split(".");
  const { alg, kid } = JSON.parse(Buffer.from(header, "base64url").toString());
  const { iss, sub, aud, exp } = JSON.parse(Buffer.from(payload, "base64url").toString());
  const options = { key, dsaEncoding: "ieee-p1363" as const };
  const isSigned = verify("sha256", Buffer.from(`${header}.${payload}`), options, Buffer.from(signature, "base64url"));
  const isShort = exp > Date.now() / 1000 && exp < Date.now() / 1000 + 600;
  return (
    isSigned && isShort && alg === "ES256" && kid === "KEY" && iss === "TEAM" && sub === CLIENT && aud.includes(issuer)
  );
}

/** Plain OAuth 2 as GitHub and Facebook speak it, with a person who agrees at once. A code is bound to its request. */
export async function plain(): Promise<Running> {
  const challenges = new Map<string, string>();
  const { server, url } = await listen(async (request, response) => {
    const address = new URL(request.url ?? "/", `http://${HOST}`);
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    const isKnown = request.headers.authorization === "Bearer opens-once";
    switch (address.pathname) {
      case "/login/oauth/authorize":
      case "/v23.0/dialog/oauth": {
        const back = new URL(address.searchParams.get("redirect_uri") ?? "");
        const code = `code-${challenges.size}`;
        challenges.set(code, address.searchParams.get("code_challenge") ?? "");
        back.searchParams.set("code", code);
        back.searchParams.set("state", address.searchParams.get("state") ?? "");
        response.writeHead(302, { Location: back.href }).end();
        return;
      }
      case "/login/oauth/access_token":
      case "/v23.0/oauth/access_token": {
        const form = new URLSearchParams(await text(request));
        const challenge = challenges.get(form.get("code") ?? "");
        challenges.delete(form.get("code") ?? "");
        const isRight = form.get("client_secret") === SECRET && challenge === s256(form.get("code_verifier") ?? "");
        // GitHub answers 200 also when it refuses.
        json(isRight ? { access_token: "opens-once", token_type: "bearer" } : { error: "bad_verification_code" });
        return;
      }
      case "/api/v3/user":
        json(isKnown ? { id: 583231, login: "octavia", name: null } : {}, isKnown ? 200 : 401);
        return;
      case "/api/v3/user/emails":
        json([
          { email: "old@example.org", primary: false, verified: true },
          { email: "octavia@example.org", primary: true, verified: true },
        ]);
        return;
      case "/v23.0/me": {
        const isProven = address.searchParams.get("appsecret_proof") === proofOf("opens-once");
        json(isProven ? { id: "10", name: "Fay Book", email: "fay@example.org" } : {}, isProven ? 200 : 400);
        return;
      }
      default:
        json({}, 404);
    }
  });
  return { url, stop: () => stop(server) };
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function s256(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

function proofOf(token: string): string {
  return createHmac("sha256", SECRET).update(token).digest("hex");
}
