import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { ApiError, InvalidFields } from "../api/client";
import { Field, Input } from "./Field";
import { FormDialog, type FormDialogProps } from "./FormDialog";

/** A call whose end the test decides. */
function call() {
  const attempts: { succeed: (result?: unknown) => void; refuse: (error: unknown) => void }[] = [];
  const action = () => new Promise<unknown>((succeed, refuse) => attempts.push({ succeed, refuse }));
  return { attempts, action };
}

function open(props: Partial<FormDialogProps<unknown>>) {
  const onClose = vi.fn();
  const shown = render(
    <FormDialog title="A goal" label="Save" action={async () => undefined} onClose={onClose} {...props}>
      <Field label="Goal" name="target period">
        <Input />
      </Field>
      <Field label="Note" name="note">
        <Input />
      </Field>
    </FormDialog>,
  );
  return { onClose, ...shown };
}

const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const refusal = (fields: Record<string, string>) =>
  new ApiError(422, JSON.stringify({ error: "This is not valid.", code: "invalid", fields }));

it("nothing closes the form while it is sent, and it closes after the answer", async () => {
  const { attempts, action } = call();
  const { onClose } = open({ action });
  await userEvent.type(field("Goal"), "50");
  await press("Save");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Saving..." }).disabled).toBe(true);
  await userEvent.keyboard("{Escape}");
  await press("Cancel");
  expect(onClose).not.toHaveBeenCalled();
  expect(attempts).toHaveLength(1);
  attempts[0]?.succeed();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

it("a refused field says why, and has the focus", async () => {
  const { onClose } = open({ action: () => Promise.reject(refusal({ period: "The year is over." })) });
  await press("Save");
  expect(await screen.findByText("The year is over.")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(document.activeElement).toBe(field("Goal"));
  expect(field("Note").getAttribute("aria-invalid")).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
});

it("what no field shows stands above the form, and the button has the focus again", async () => {
  open({
    action: () => Promise.reject(refusal({ metric: "There is no such metric." })),
    failedTitle: "Failed to set the goal",
  });
  await press("Save");
  expect((await screen.findByRole("alert")).textContent).toBe("Failed to set the goalThis is not valid.");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Save" }));
});

it("an attempt shows nothing of the one before it", async () => {
  const { attempts, action } = call();
  open({ action });
  await press("Save");
  attempts[0]?.refuse(refusal({ note: "The note is too long." }));
  expect(await screen.findByText("The note is too long.")).toBeTruthy();
  await press("Save");
  expect(screen.queryByText("The note is too long.")).toBeNull();
  attempts[1]?.refuse(new ApiError(409, JSON.stringify({ error: "The disk is full.", code: "disk_full" })));
  expect((await screen.findByRole("alert")).textContent).toBe("The disk is full.");
  expect(screen.queryByText("The note is too long.")).toBeNull();
});

it("the form refuses what it knows to be wrong", async () => {
  open({ action: () => Promise.reject(new InvalidFields({ target: "A goal is a whole number from 1." })) });
  await press("Save");
  expect(await screen.findByText("A goal is a whole number from 1.")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

it("a second action removes, and the form shows its failure, too", async () => {
  const { attempts, action } = call();
  const { onClose } = open({ second: { label: "Remove", busy: "Removing...", action } });
  await press("Remove");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
  attempts[0]?.refuse(new Error("lost"));
  expect((await screen.findByRole("alert")).textContent).toBe("Please try again.");
  await press("Remove");
  attempts[1]?.succeed();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

it("what was typed is forgotten when it is saved, and on Cancel alone otherwise", async () => {
  const draft = { isRestored: true, startOver: vi.fn(), forget: vi.fn() };
  const { onClose } = open({ draft });
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
  expect(draft.startOver).not.toHaveBeenCalled();
  await press("Start over");
  await press("Cancel");
  expect(draft.startOver).toHaveBeenCalledTimes(2);
  expect(draft.forget).not.toHaveBeenCalled();
  await press("Save");
  await vi.waitFor(() => expect(draft.forget).toHaveBeenCalledOnce());
});

it("what was made is shown in place of the form until it is closed", async () => {
  const { onClose } = open({
    action: async () => "abc",
    made: (secret) => ({ title: "The link", text: "It is shown once.", children: <p>{String(secret)}</p> }),
  });
  await press("Save");
  expect(await screen.findByText("abc")).toBeTruthy();
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  await press("Done");
  expect(onClose).toHaveBeenCalledOnce();
});

it("a page that was left meanwhile is not changed", async () => {
  const { attempts, action } = call();
  const onDone = vi.fn();
  const { unmount } = open({ action, onDone });
  await press("Save");
  unmount();
  attempts[0]?.succeed();
  await Promise.resolve();
  expect(onDone).not.toHaveBeenCalled();
});
