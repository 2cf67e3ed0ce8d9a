import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import type { ComponentType } from "react";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createQueryClient } from "../kit/query";
import { LegalPage } from "./LegalPage";
import PrivacyPage from "./PrivacyPage";
import TermsPage from "./TermsPage";

const UNSET = { operator: null, contact: null, governingLaw: null };
const server = setupServer(http.get("*/api/site", () => HttpResponse.json(UNSET)));
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function open(Legal: ComponentType) {
  render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <Legal />
    </QueryClientProvider>,
  );
}

it.each([
  ["Privacy Policy", 10, PrivacyPage],
  ["Terms of Service", 12, TermsPage],
])("the %s has %i numbered sections, each led to by its contents", (title, count, Legal) => {
  open(Legal);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(title);
  expect(screen.getByText("Last updated October 13, 2025")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Back to home" }).getAttribute("href")).toBe("/");
  const headings = screen.getAllByRole("heading", { level: 2 });
  expect(headings.map((heading) => heading.textContent?.split(".")[0])).toEqual(
    Array.from({ length: count }, (_, i) => String(i + 1)),
  );
  for (const heading of headings) {
    expect(document.querySelector(`a[href="#${heading.id}"]`)).toBeTruthy();
  }
});

it("the operator, the contact and the governing law come from the server", async () => {
  const site = { operator: "Ada Lovelace", contact: "ada@example.org", governingLaw: "the laws of England and Wales" };
  server.use(http.get("*/api/site", () => HttpResponse.json(site)));
  open(TermsPage);
  expect((await screen.findByRole("link", { name: "ada@example.org" })).getAttribute("href")).toBe(
    "mailto:ada@example.org",
  );
  expect(screen.getByText(/governed by the laws of England and Wales/)).toBeTruthy();
  expect(screen.getByText(/which is Ada Lovelace/)).toBeTruthy();
});

it('without a named operator the pages say "the operator of this server"', async () => {
  open(TermsPage);
  expect(await screen.findByText(/Questions about these terms go to the operator of this server/)).toBeTruthy();
  expect(screen.getByText(/the law of the place where the operator of this server is established/)).toBeTruthy();
});

it("the operator's name is shown as it is written", async () => {
  server.use(http.get("*/api/site", () => HttpResponse.json({ ...UNSET, operator: "<b>Ada</b> *L_* [x](/y) 1. #2" })));
  open(TermsPage);
  expect(await screen.findByText(/which is <b>Ada<\/b> \*L_\* \[x\]\(\/y\) 1\. #2 \(“we”\)/)).toBeTruthy();
});

it("an operator's own text may have another form, and brings no HTML", () => {
  const text =
    "# Rules\n\nBe kind.\n\nBe *brief*.\n\n## One\n\n<img src=x onerror=alert(1)> [Site](/pricing) [no](javascript:alert)\n";
  open(() => <LegalPage text={text} />);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Rules");
  expect(screen.getByText("brief").tagName).toBe("EM");
  expect(document.querySelector("main img, section img")).toBeNull();
  expect(screen.getByRole("link", { name: "Site" }).getAttribute("href")).toBe("/pricing");
  expect(document.querySelector('a[href^="javascript"]')).toBeNull();
});

it("the way back to the top is offered past 400 px", () => {
  open(PrivacyPage);
  const toTop = screen.getByLabelText("Scroll to top");
  const scrollTo = (y: number) =>
    act(() => {
      Object.defineProperty(window, "scrollY", { value: y, configurable: true });
      window.dispatchEvent(new Event("scroll"));
    });
  scrollTo(400);
  expect(toTop.hasAttribute("data-on")).toBe(false);
  scrollTo(401);
  expect(toTop.hasAttribute("data-on")).toBe(true);
});
