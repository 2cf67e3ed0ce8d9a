import { expect, it } from "vitest";
import { readShared } from "./shared";

const shared = (parts: Record<string, string>) => readShared(new URLSearchParams(parts));

it.each([
  [{ url: "https://www.amazon.com/Orbital-Samantha-Harvey/dp/0802163629/ref=sr_1_1?crid=1234567890" }, "9780802163622"],
  [{ url: "https://bookshop.org/p/books/orbital/20179152?ean=9780802163622" }, "9780802163622"],
  [{ url: "https://openlibrary.org/isbn/978-0-8021-6362-2" }, "9780802163622"],
  [{ text: "ISBN-10: 0-8070-8369-0" }, "9780807083697"],
  [{ text: "080442957X" }, "9780804429573"],
  [{ text: "978 0 8070 8369 7" }, "9780807083697"],
])("finds the ISBN in what was shared: %j", (parts, isbn) => {
  expect(shared(parts)).toMatchObject({ item: { isbn, title: "" }, question: isbn });
});

it.each([
  // A wrong check digit, a number of Goodreads that is as long as an ISBN, and an e-book of Amazon.
  { url: "https://example.org/9780802163623" },
  { url: "https://www.goodreads.com/book/show/0807083690" },
  { url: "https://www.amazon.com/dp/B0C5WQ4Z1N" },
])("takes no other number for an ISBN: %j", (parts) => {
  expect(shared(parts)?.item.isbn).toBe("");
});

it.each([
  ["Orbital by Samantha Harvey | Goodreads", "https://www.goodreads.com/book/show/123136728-orbital"],
  ["Orbital by Samantha Harvey | The StoryGraph", "https://app.thestorygraph.com/books/6c2b"],
  ["Orbital by Samantha Harvey | Open Library", "https://openlibrary.org/works/OL35658434W/Orbital"],
  ["Orbital a book by Samantha Harvey - Bookshop.org US", "https://bookshop.org/p/books/orbital/20179152"],
  ["Orbital: Harvey, Samantha: 9780802163622: Amazon.com: Books", "https://www.amazon.com/dp/0802163629"],
  ["Amazon.com: Orbital eBook : Harvey, Samantha: Kindle Store", "https://www.amazon.com/dp/B0C5WQ4Z1N"],
])("finds title and author in a page's title: %s", (title, url) => {
  expect(shared({ title, url })?.item).toMatchObject({ title: "Orbital", author: "Samantha Harvey", notes: url });
});

it.each([
  ["“Orbital” by Samantha Harvey", "Orbital", "Samantha Harvey"],
  ["I liked “Stand by Me” by Stephen King", "Stand by Me", "Stephen King"],
  ["Stand by Me by Stephen King", "Stand by Me", "Stephen King"],
  ["Death by a thousand cuts", "Death by a thousand cuts", ""],
  ["Orbital", "Orbital", ""],
  ["Catch-22 - A Novel", "Catch-22 - A Novel", ""],
])("finds title and author in a text alone: %s", (text, title, author) => {
  expect(shared({ text })).toMatchObject({ item: { title, author, notes: "" }, from: { heading: "", site: "" } });
});

it("takes the address out of the text of an app, and what was marked on a page before the page's title", () => {
  const address = "https://www.goodreads.com/book/show/5107.The_Catcher_in_the_Rye";
  expect(shared({ text: `The Catcher in the Rye\n${address}` })).toMatchObject({
    item: { title: "The Catcher in the Rye", notes: address },
    question: "The Catcher in the Rye",
    from: { heading: "", site: "goodreads.com" },
  });
  expect(shared({ url: address })?.item.title).toBe("The Catcher in the Rye");
  expect(
    shared({ title: "The best novels of the year", text: "Orbital", url: "https://newspaper.example/best" }),
  ).toMatchObject({
    item: { title: "Orbital", notes: "https://newspaper.example/best" },
    from: { heading: "The best novels of the year", site: "newspaper.example" },
  });
});

it("keeps a passage as a note, and nothing where nothing was shared", () => {
  const text = "A passage.\nIt has two lines.";
  expect(shared({ title: "Best novels", text, url: "https://newspaper.example/" })?.item).toMatchObject({
    title: "Best novels",
    notes: `${text}\nhttps://newspaper.example/`,
  });
  expect(shared({ tab: "tbr", title: " " })).toBeNull();
  expect(shared({ url: "https://[broken" })?.item.notes).toBe("https://[broken");
});
