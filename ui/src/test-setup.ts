import { cleanup } from "@testing-library/react";
import { http } from "msw";
import { afterEach } from "vitest";

afterEach(cleanup);

// Every answer of the server names its version; the interface takes any other answer for that of a proxy.
for (const method of ["get", "post", "put", "patch", "delete"] as const) {
  const plain = http[method];
  http[method] = (path, resolver, options) => {
    const named: typeof resolver = async (info) => {
      const answer = await resolver(info);
      if (answer instanceof Response && answer.type !== "error") answer.headers.set("Shelfwise-Version", "1.0.0");
      return answer;
    };
    return plain(path, named, options);
  };
}
