import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { signedIn, signedOut } from "../access/viewer";
import { keys } from "../kit/api/keys";
import { createQueryClient } from "../kit/query";
import { ToastHost } from "../kit/ui/ToastHost";
import { ANSWERS, NORA, PLUS, PREFERENCES, renderAs, toastSays } from "../test-reader";
import { DisplayFilter } from "./DisplayFilter";
import { PreferencesTab } from "./PreferencesTab";

let stored = PREFERENCES;
let sent: unknown[] = [];

const server = setupServer(
  http.get("*/api/preferences", () => HttpResponse.json({ preferences: stored })),
  http.patch("*/api/preferences", async ({ request }) => {
    const changes = (await request.json()) as Partial<typeof stored>;
    sent.push(changes);
    stored = { ...stored, ...changes };
    return HttpResponse.json({ preferences: stored });
  }),
  ...ANSWERS,
);
beforeAll(() => server.listen());
beforeEach(() => {
  stored = PREFERENCES;
  sent = [];
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function open() {
  renderAs(
    NORA,
    <>
      <DisplayFilter />
      <PreferencesTab />
    </>,
  );
}

const onPlus = () => server.use(http.get("*/api/subscriptions/current", () => HttpResponse.json(PLUS)));
const filter = () => document.documentElement.style.filter;
const slider = (name: string) => screen.findByRole<HTMLInputElement>("slider", { name });

it("a slider shows at once what it does, and is saved when it rests", async () => {
  onPlus();
  open();
  const sepia = await slider("Sepia");
  await waitFor(() => expect(sepia.disabled).toBe(false));
  fireEvent.change(sepia, { target: { value: "10" } });
  fireEvent.change(sepia, { target: { value: "12" } });
  expect(filter()).toBe("sepia(12%)");
  expect(sent).toEqual([]);
  await toastSays("Preferences updated");
  expect(sent).toEqual([{ sepia: 12 }]);
  expect(filter()).toBe("sepia(12%)");
});

it("a page gone black comes back by the keyboard, or by a button above it", async () => {
  onPlus();
  stored = { ...PREFERENCES, brightness: 0 };
  open();
  await waitFor(() => expect(filter()).toBe("brightness(0%)"));
  expect(await screen.findByText("Hard to read?")).toBeTruthy();
  fireEvent.keyDown(document.body, { code: "Digit0", key: ")", altKey: true, shiftKey: true });
  expect(filter()).toBe("");
  expect(screen.queryByText("Hard to read?")).toBeNull();
  await waitFor(() => expect(sent).toEqual([{ brightness: 100, contrast: 100, sepia: 0, grayscale: 0 }]));
});

it("dark mode is open to all, the premium ones are locked for a reader", async () => {
  open();
  await userEvent.click(await screen.findByRole("switch", { name: "Dark mode" }));
  await toastSays("Theme updated");
  expect(sent).toEqual([{ theme: "dark" }]);
  expect(document.documentElement.classList.contains("dark")).toBe(true);
  expect((await slider("Brightness")).disabled).toBe(true);
  expect(screen.getByLabelText<HTMLSelectElement>("Format").disabled).toBe(true);
  expect(screen.getByRole<HTMLInputElement>("switch", { name: "Beta features" }).disabled).toBe(true);
  expect(screen.getByLabelText<HTMLSelectElement>("Time zone").disabled).toBe(false);
  expect(screen.getAllByText("Premium")).toHaveLength(8);
});

it("a plan that ended meanwhile is answered as a premium feature, and nothing changes", async () => {
  onPlus();
  const refusal = { error: "This is a premium preference.", code: "premium_required" };
  server.use(http.patch("*/api/preferences", () => HttpResponse.json(refusal, { status: 403 })));
  open();
  const format = await screen.findByLabelText<HTMLSelectElement>("Format");
  await waitFor(() => expect(format.disabled).toBe(false));
  await userEvent.selectOptions(format, "Audio");
  await toastSays("Premium Feature");
  expect(screen.getByText("Upgrade to access this feature")).toBeTruthy();
  expect(format.value).toBe("Print");
});

it("ratings in half points and the hemisphere of the seasons are open to all", async () => {
  open();
  const hemisphere = await screen.findByLabelText<HTMLSelectElement>("Hemisphere");
  expect(hemisphere.selectedOptions[0]?.text).toBe("By time zone (Northern)");
  await userEvent.selectOptions(hemisphere, "Southern");
  await waitFor(() => expect(stored.hemisphere).toBe("south"));
  await userEvent.selectOptions(screen.getByLabelText("Ratings in"), "Half points (quarter stars)");
  await waitFor(() => expect(stored.ratingStep).toBe(0.5));
  await userEvent.selectOptions(hemisphere, "By time zone (Northern)");
  await waitFor(() => expect(sent).toEqual([{ hemisphere: "south" }, { ratingStep: 0.5 }, { hemisphere: null }]));
});

it("a streak is off until it is wanted, and goals need not say who is behind", async () => {
  open();
  const streak = await screen.findByLabelText<HTMLSelectElement>("Streak");
  expect(streak.selectedOptions[0]?.text).toBe("Off");
  await userEvent.selectOptions(streak, "Weeks");
  await waitFor(() => expect(stored.streak).toBe("weeks"));
  const pace = screen.getByRole<HTMLInputElement>("switch", { name: "Say when behind a goal" });
  expect(pace.checked).toBe(true);
  await userEvent.click(pace);
  await waitFor(() => expect(sent).toEqual([{ streak: "weeks" }, { goalPace: false }]));
});

/** The streak on the page of a year. */
function InReview() {
  const { data } = useQuery({ queryKey: keys.review("2025"), queryFn: () => stored.streak });
  return <p>In review: {data}</p>;
}

it("the pages of years have the streak as it was last wanted", async () => {
  renderAs(
    NORA,
    <>
      <InReview />
      <PreferencesTab />
    </>,
  );
  expect(await screen.findByText("In review: off")).toBeTruthy();
  await userEvent.selectOptions(await screen.findByLabelText("Streak"), "Days");
  expect(await screen.findByText("In review: days")).toBeTruthy();
});

/** A figure of today, beside the preferences or without them. */
function Page({ isLeft }: { isLeft: boolean }) {
  const { data } = useQuery({ queryKey: keys.statistics({}), queryFn: () => stored.timezone });
  return (
    <>
      <p>Counted in {data}</p>
      {!isLeft && <PreferencesTab />}
    </>
  );
}

it("figures are counted again in a new time zone, also when the reader has left before the answer", async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.patch("*/api/preferences", async () => {
      await answered;
      stored = { ...stored, timezone: "Asia/Tokyo" };
      return HttpResponse.json({ preferences: stored });
    }),
  );
  const client = createQueryClient(signedOut);
  signedIn(client, NORA);
  const page = (isLeft: boolean) => (
    <QueryClientProvider client={client}>
      <Page isLeft={isLeft} />
      <ToastHost />
    </QueryClientProvider>
  );
  const { rerender } = render(page(false));
  expect(await screen.findByText("Counted in Europe/Amsterdam")).toBeTruthy();
  await userEvent.selectOptions(await screen.findByLabelText("Time zone"), "Asia/Tokyo");
  rerender(page(true));
  answer();
  expect(await screen.findByText("Counted in Asia/Tokyo")).toBeTruthy();
  await toastSays("Preferences updated");
});
