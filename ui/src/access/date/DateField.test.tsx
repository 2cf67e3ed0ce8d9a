import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { today } from "../../kit/format";
import { NORA, renderAs } from "../../test-reader";
import { DateField } from "./DateField";

let held: string;

function Held({ value = "", rough, max }: { value?: string; rough?: boolean; max?: string }) {
  const [day, setDay] = useState(value);
  held = day;
  return <DateField label="Day" value={day} onChange={setDay} rough={rough} max={max} />;
}

const field = () => screen.findByRole<HTMLInputElement>("textbox", { name: "Day" });
const type = async (text: string) => {
  await userEvent.clear(await field());
  await userEvent.type(await field(), text);
  await userEvent.tab();
};

it("a day is written in one form as soon as the field is left", async () => {
  renderAs(NORA, <Held />);
  for (const typed of ["2025-11-18", "18.11.2025", "11/18/2025", "Nov 18 2025"]) {
    await type(typed);
    expect([typed, held, (await field()).value]).toEqual([typed, "2025-11-18", "Nov 18, 2025"]);
  }
  await type("today");
  expect(held).toBe(today());
});

it("a text with two readings asks which one is meant", async () => {
  renderAs(NORA, <Held />);
  await type("3/4/2021");
  expect(screen.getByRole("status").textContent).toBe("3/4/2021: which day?");
  expect((await field()).getAttribute("aria-invalid")).toBeNull();
  expect(screen.getAllByRole("button", { name: /2021$/ }).map(({ textContent }) => textContent)).toEqual([
    "Mar 4, 2021",
    "Apr 3, 2021",
  ]);
  await userEvent.click(screen.getByRole("button", { name: "Apr 3, 2021" }));
  expect([held, (await field()).value]).toEqual(["2021-04-03", "Apr 3, 2021"]);
  expect(document.activeElement).toBe(await field());
});

it("a field for a day refuses a rough date when it is left, and one for rough dates says what it means", async () => {
  const { unmount } = renderAs(NORA, <Held />);
  await type("spring 2020");
  expect(screen.getByText("Try a day, like Nov 18, 2025.")).toBeTruthy();
  expect(held).toBe("spring 2020");
  unmount();
  renderAs(NORA, <Held rough />);
  await type("spring 2020");
  expect(screen.getByRole("status").textContent).toBe("Any day from Mar 1 to May 31, 2020.");
  expect([held, (await field()).value]).toEqual(["2020-03-01/2020-05-31", "Mar – May 2020"]);
});

it("the calendar is moved through by keys, and gives a day, a month or a year", async () => {
  renderAs(NORA, <Held value="2025-11-18" rough max="2025-11-20" />);
  const open = async () => userEvent.click(await screen.findByRole("button", { name: "Choose a day" }));
  await open();
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Tuesday, November 18, 2025");
  await userEvent.keyboard("{ArrowUp}{ArrowLeft}{PageUp}");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Friday, October 10, 2025");
  await userEvent.keyboard("{PageDown}{PageDown}");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Thursday, November 20, 2025");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Friday, November 21, 2025" }).disabled).toBe(true);
  await userEvent.keyboard("{ArrowLeft}{Enter}");
  expect(held).toBe("2025-11-19");
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Just November" }));
  expect(held).toBe("2025-11-01/2025-11-30");
  await open();
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Year" }), "2019");
  await userEvent.click(screen.getByRole("button", { name: "Just 2019" }));
  expect([held, (await field()).value]).toEqual(["2019-01-01/2019-12-31", "2019"]);
});
