import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { aRead } from "../books/test-read";
import { Standing } from "./Standing";

it("a cover has its room before it has arrived", () => {
  const book = aRead({ cover: { url: "/api/covers/7", width: 400, height: 600 } });
  const { container } = render(<Standing book={book} blue={1} height={108} />);
  const cover = container.querySelector("img");
  expect(cover?.src).toContain("/api/covers/7");
  expect([cover?.width, cover?.height]).toEqual([72, 108]);
});
