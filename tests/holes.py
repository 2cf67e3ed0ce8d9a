"""A small server with one hole of each kind, on the loopback: what a scanner must find before its silence elsewhere counts.

`scripts/scan` serves it. It holds nothing but what is planted here and must never be reached from outside this machine.
"""

import sqlite3
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

PAGE = """<!doctype html><title>Holes</title>
<a href="/search?q=emma">search</a> <a href="/go?to=/search">go</a> <a href="/book?id=1">book</a>
<form action="/search"><input name="q"></form>"""


def book(number: str) -> str:
    """A query that whoever asks writes the end of."""
    shelf = sqlite3.connect(":memory:")
    shelf.executescript("CREATE TABLE books (id INTEGER, title TEXT); INSERT INTO books VALUES (1, 'Emma'), (2, 'Dune');")
    rows = shelf.execute(f"SELECT title FROM books WHERE id = {number}").fetchall()
    return ", ".join(str(row[0]) for row in rows) or "nothing"


class Holes(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/":
            self.answer(200, PAGE)
        elif parts.path == "/search":
            self.answer(200, f"<!doctype html><title>Found</title><p>{given.get('q', '')}</p>")
        elif parts.path == "/go":
            self.send_response(302)
            self.send_header("Location", given.get("to", "/"))
            self.end_headers()
        elif parts.path == "/book":
            try:
                self.answer(200, f"<p>{book(given.get('id', '1'))}</p>")
            except sqlite3.Error as error:
                self.answer(500, f"sqlite3.OperationalError: {error}")
        elif parts.path == "/.env":
            self.answer(200, "SECRET=planted")
        else:
            self.answer(404, "<!doctype html><title>404</title>")

    def answer(self, status: int, body: str) -> None:
        sent = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        # A scanner that has seen enough goes away.
        with suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(sent)

    def log_message(self, *_: object) -> None:
        """Scanners send thousands of requests; nobody reads their log."""
