import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { useState } from "react";
import { expect, it } from "vitest";
import { NORA, renderAs } from "../../../test-reader";
import { pageServer } from "../../../test-server";
import { MoreCharts } from "./MoreCharts";

const NOTHING = { pace: [], lengths: [], published: [], languages: [], ratings: [], outcomes: [], tags: [] };
const outcome = (year: string) => ({ year: Number(year), finished: 1, notFinished: 0, share: 0 });

const server = pageServer(
  "/dashboard",
  http.get("*/api/stats/reading", ({ request }) => {
    const { searchParams } = new URL(request.url);
    const compared = searchParams.get("compare")?.split("..");
    if (!compared) {
      const years = searchParams.has("to") ? ["2015", "2016"] : ["2024", "2025", "2026"];
      return HttpResponse.json({ ...NOTHING, outcomes: years.map(outcome) });
    }
    const periods = compared.map((year) => ({
      ...NOTHING,
      from: `${year}-01-01`,
      to: `${year}-12-31`,
      outcomes: [outcome(year)],
    }));
    return HttpResponse.json({ periods });
  }),
);

const FILTERED = { from: "2015-01-01", to: "2016-12-31" };

function Page() {
  const [query, setQuery] = useState<Record<string, string>>({});
  return (
    <>
      <button type="button" onClick={() => setQuery(FILTERED)}>
        2015 to 2016
      </button>
      <MoreCharts query={query} />
    </>
  );
}

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const chosen = () => screen.queryAllByRole<HTMLSelectElement>("combobox").map(({ value }) => value);

it("compares two years until the filter leaves one of them out", async () => {
  renderAs(NORA, <Page />);
  await press("Compare two years");
  await waitFor(() => expect(chosen()).toEqual(["2026", "2025"]));
  await press("2015 to 2016");
  await press("Compare two years");
  await waitFor(() => expect(chosen()).toEqual(["2016", "2015"]));
});

it("two years that could not be fetched are left as they were chosen", async () => {
  server.use(
    http.get("*/api/stats/reading", ({ request }) =>
      new URL(request.url).searchParams.has("compare")
        ? HttpResponse.json({ error: "The server is busy.", code: "unavailable" }, { status: 503 })
        : undefined,
    ),
  );
  renderAs(NORA, <Page />);
  await press("Compare two years");
  expect((await screen.findByRole("alert")).textContent).toContain("The charts could not be loaded.");
  expect(chosen()).toEqual(["2026", "2025"]);
  await press("Stop comparing");
  expect(await screen.findByRole("figure", { name: "Outcomes" })).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
  const compare = screen.getByRole("button", { name: "Compare two years" });
  await waitFor(() => expect(document.activeElement).toBe(compare.parentElement));
});
