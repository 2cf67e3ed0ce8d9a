import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { useSearchParams } from "wouter";
import { IconButton } from "./Button";
import { CopyField } from "./CopyField";
import { AlertDialog, Dialog } from "./Dialog";
import { Field, Input, Select } from "./Field";
import { DropField } from "./FileField";
import { Menu, MenuItem } from "./Menu";
import { Popover } from "./Popover";
import { Tabs } from "./Tabs";
import { ToastHost } from "./ToastHost";
import { toast } from "./toast";

beforeEach(() => window.history.replaceState(null, "", "/account"));

it("a field's hint and error belong to its control", () => {
  render(
    <Field label="Email" required hint="Where links are sent." error="Please enter a valid email address">
      <Input />
    </Field>,
  );
  const input = screen.getByRole("textbox", { name: "Email" });
  expect(input.getAttribute("aria-invalid")).toBe("true");
  const said = input
    .getAttribute("aria-describedby")
    ?.split(" ")
    .map((id) => document.getElementById(id)?.textContent);
  expect(said).toEqual(["Please enter a valid email address", "Where links are sent."]);
});

it("a selection with an empty value is refused", () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  expect(() => render(<Select options={[{ value: "", label: "None" }]} />)).toThrow("empty value");
});

/** What the page offers for copying: the clipboard, the old copy command, or neither. */
function offer({ clipboard, command }: { clipboard?: (text: string) => Promise<void>; command?: () => boolean }) {
  const value = clipboard && { writeText: clipboard };
  vi.stubGlobal("navigator", Object.create(navigator, { clipboard: { value } }));
  Object.assign(document, { execCommand: command });
}

describe("a value to copy", () => {
  const LINK = "https://books.example.org/s/example-only";
  const copy = async () => {
    render(<CopyField label="Link" value={LINK} />);
    const button = screen.getByRole("button", { name: "Copy link" });
    await userEvent.click(button);
    return button;
  };
  const selected = () => {
    const { value, selectionStart, selectionEnd } = screen.getByRole<HTMLInputElement>("textbox", { name: "Link" });
    return value.slice(selectionStart ?? 0, selectionEnd ?? 0);
  };

  it("goes to the clipboard where the page is secure", async () => {
    const written = vi.fn(async () => {});
    offer({ clipboard: written });
    const button = await copy();
    expect(written).toHaveBeenCalledWith(LINK);
    expect(button.textContent).toBe("Copied");
    expect(screen.getByRole("status").textContent).toBe("Copied");
  });

  it("is copied by the old command where the page is not secure, and the button keeps the focus", async () => {
    const copied: string[] = [];
    offer({ command: () => copied.push(selected()) > 0 });
    const button = await copy();
    expect(copied).toEqual([LINK]);
    expect(button.textContent).toBe("Copied");
    expect(document.activeElement).toBe(button);
  });

  it("is left marked where nothing copies it", async () => {
    offer({ command: () => false });
    const button = await copy();
    expect(button.textContent).toBe("Marked");
    expect(selected()).toBe(LINK);
    expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Link" }));
  });
});

it("the same file can be chosen again", async () => {
  const chosen: (string | undefined)[] = [];
  render(
    <DropField icon="upload" label="A picture" hint="" accept=".png" onFile={(file) => chosen.push(file?.name)} />,
  );
  const input = screen.getByLabelText<HTMLInputElement>("A picture");
  const file = new File(["picture"], "cover.png", { type: "image/png" });
  await userEvent.upload(input, file);
  await userEvent.upload(input, file);
  expect(chosen).toEqual(["cover.png", "cover.png"]);
});

function Account() {
  const tabs = ["profile", "billing", "terms"].map((id) => ({ id, label: id, href: `/account?tab=${id}` }));
  const [parameters] = useSearchParams();
  const current = parameters.get("tab") ?? "profile";
  return (
    <Tabs label="Account" tabs={tabs} current={current}>
      {current}
    </Tabs>
  );
}

it("arrow keys move between tabs and put the tab into the address", async () => {
  render(<Account />);
  screen.getByRole("tab", { name: "profile" }).focus();
  await userEvent.keyboard("{ArrowLeft}");
  expect(window.location.search).toBe("?tab=terms");
  expect(document.activeElement?.textContent).toBe("terms");
  expect(screen.getByRole("tabpanel", { name: "terms" })).toBeTruthy();
});

it("an alert dialog has the focus on its safe button, and Escape is the safe way out", async () => {
  const onClose = vi.fn();
  const onConfirm = vi.fn();
  render(
    <AlertDialog
      onClose={onClose}
      title="Are you sure you want to delete this book?"
      text="This action cannot be undone."
      cancel="Keep book"
      confirm="I'm sure"
      action={onConfirm}
    />,
  );
  expect(document.activeElement?.textContent).toBe("Keep book");
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
  expect(onConfirm).not.toHaveBeenCalled();
});

it("nothing closes a dialog while its action is in progress, and its failure is shown in it", async () => {
  const onClose = vi.fn();
  let end: (error?: Error) => void = () => undefined;
  const onConfirm = () => new Promise<void>((done, fail) => (end = (error) => (error ? fail(error) : done())));
  render(
    <AlertDialog
      onClose={onClose}
      title="Delete your account?"
      text="This cannot be undone."
      cancel="Keep account"
      confirm="Delete account"
      busy="Deleting..."
      failed="Failed to delete the account"
      action={onConfirm}
    />,
  );
  await userEvent.click(screen.getByRole("button", { name: "Delete account" }));
  await userEvent.keyboard("{Escape}");
  await userEvent.click(screen.getByRole("button", { name: "Keep account" }));
  expect(onClose).not.toHaveBeenCalled();
  end(new Error("lost"));
  expect((await screen.findByRole("alert")).textContent).toBe("Failed to delete the account");
  await userEvent.click(screen.getByRole("button", { name: "Keep account" }));
  expect(onClose).toHaveBeenCalledOnce();
});

function Invitations() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Menu trigger={<IconButton icon="dots" label="More" />}>
        <MenuItem onSelect={() => setOpen(true)}>Invite</MenuItem>
      </Menu>
      {open && (
        <Dialog onClose={() => setOpen(false)} title="Invite Team Member">
          <Field label="Email">
            <Input />
          </Field>
        </Dialog>
      )}
    </>
  );
}

it("a dialog opened from a menu gives the focus back to the menu's button", async () => {
  render(<Invitations />);
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Invite" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Email" })));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "More" })));
});

it("the last toast gives the focus back to where it was before F8", async () => {
  const user = userEvent.setup();
  const undo = vi.fn();
  render(
    <>
      <button type="button">Finish</button>
      <ToastHost />
    </>,
  );
  screen.getByRole("button", { name: "Finish" }).focus();
  toast({ title: "Book finished", undo });
  await screen.findByRole("button", { name: "Undo" });
  fireEvent.keyDown(document, { code: "F8" });
  screen.getByRole("button", { name: "Undo" }).focus();
  await user.keyboard("{Enter}");
  expect(undo).toHaveBeenCalledOnce();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Finish" })));
});

it("one toast is shown at a time, the newest", async () => {
  render(<ToastHost />);
  toast({ title: "Book added successfully!" });
  expect(await screen.findByText("Book added successfully!")).toBeTruthy();
  toast({ title: "Failed to add book", destructive: true });
  expect(await screen.findByText("Failed to add book")).toBeTruthy();
  expect(screen.queryByText("Book added successfully!")).toBeNull();
});

function Question() {
  const [open, setOpen] = useState(true);
  if (!open) return null;
  const rest = { cancel: "Keep it", confirm: "Undo import", action: () => undefined, onClose: () => setOpen(false) };
  return <AlertDialog title="Undo this import?" text="It goes again." {...rest} />;
}

const more = <IconButton icon="dots" label="More" />;

/** The dialogs, menus and popovers, and how each is opened. */
const FLOATING = [
  ["dialog", <Invitations key="dialog" />, "menuitem"],
  ["alertdialog", <Question key="alertdialog" />, null],
  ["menu", <Invitations key="menu" />, null],
  [
    "dialog",
    <Popover key="popover" label="Genres" trigger={more}>
      <button type="button">Classics</button>
    </Popover>,
    null,
  ],
] as const;

it.each(FLOATING)(
  "Escape closes the %s that has the focus, also when a toast came later",
  async (role, part, opened) => {
    render(
      <>
        {part}
        <ToastHost />
      </>,
    );
    const button = screen.queryByRole("button", { name: "More" });
    if (button) await userEvent.click(button);
    if (opened) await userEvent.click(await screen.findByRole(opened));
    const floating = await screen.findByRole(role);
    await waitFor(() => expect(floating.contains(document.activeElement)).toBe(true));
    toast({ title: "Preferences updated" });
    await screen.findByText("Preferences updated");
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole(role)).toBeNull());
  },
);

it("a dialog whose focused button was disabled hears Escape, also when a toast came later", async () => {
  render(
    <>
      <Question />
      <ToastHost />
    </>,
  );
  const dialog = await screen.findByRole("alertdialog");
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  (document.activeElement as HTMLElement).blur();
  toast({ title: "Failed to delete" });
  await screen.findByText("Failed to delete");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
});

it("a notice does not take away an Undo, and what can be undone next replaces it", async () => {
  render(<ToastHost />);
  const undo = vi.fn();
  toast({ title: "Tag deleted", undo });
  toast({ title: "Saved" });
  toast({ title: "Exported" });
  expect(await screen.findByText("Exported")).toBeTruthy();
  expect(screen.queryByText("Saved")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(undo).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(screen.queryByText("Tag deleted")).toBeNull());
  toast({ title: "Tag renamed", undo });
  toast({ title: "Series merged", undo });
  expect(await screen.findByText("Series merged")).toBeTruthy();
  expect(screen.queryByText("Tag renamed")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
});

it("Escape in a toast closes the toast alone", async () => {
  render(
    <>
      <Question />
      <ToastHost />
    </>,
  );
  await screen.findByRole("alertdialog");
  toast({ title: "Saved" });
  await screen.findByText("Saved");
  // The dialog traps the focus, so the key is sent to the toast.
  fireEvent.keyDown(screen.getByRole("button", { name: "Dismiss", hidden: true }), { key: "Escape" });
  await waitFor(() => expect(screen.queryByText("Saved")).toBeNull());
  expect(screen.getByRole("alertdialog")).toBeTruthy();
});
