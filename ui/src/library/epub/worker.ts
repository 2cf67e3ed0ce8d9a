import { EpubError, readEpub } from "./read";

// Runs in a worker, so that the page stays responsive. The file is not sent anywhere.
self.addEventListener("message", async ({ data }: MessageEvent<File>) => {
  try {
    self.postMessage({ book: readEpub(new Uint8Array(await data.arrayBuffer())) });
  } catch (error) {
    self.postMessage({ problem: error instanceof EpubError ? error.problem : "unreadable" });
  }
});
