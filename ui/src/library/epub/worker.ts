import { EpubError, readEpub } from "./read";

// Apart from the page, which stays quick meanwhile. The file goes nowhere else.
self.addEventListener("message", async ({ data }: MessageEvent<File>) => {
  try {
    self.postMessage({ book: readEpub(new Uint8Array(await data.arrayBuffer())) });
  } catch (error) {
    self.postMessage({ problem: error instanceof EpubError ? error.problem : "unreadable" });
  }
});
