// Begins the calls of a reader's first page while the page's code is on its way. `src/kit/api/client.ts` takes the answers.
(() => {
  const calls = new Map();
  const begin = (address) => {
    const signal = AbortSignal.timeout(30_000);
    const call = fetch(address, { headers: { Accept: "application/json" }, signal });
    calls.set(address, call);
    return call.then((response) => (response.ok ? response.clone().json() : null)).catch(() => null);
  };
  window.earlyCalls = calls;
  const id = location.pathname.split("/")[2];
  for (const name of document.currentScript.dataset.calls.split(" ")) {
    // The reader's time zone has another year for some hours only: the page then asks for that one.
    const begun = begin(name.replace("{id}", id).replace("{year}", new Date().getFullYear()));
    // The page of a book shows all its reads, and only the answer names the book's work.
    if (name === "/api/books/{id}") begun.then((answer) => answer && begin(`/api/works/${answer.book.work}`));
  }
})();
