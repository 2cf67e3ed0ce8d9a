"""Signs up, makes an API token, adds a book and lists it, with the client that openapi-python-client makes."""

import sys
import time
import urllib.request

from client import AuthenticatedClient, Client
from client.api.accounts import create_api_token, sign_up
from client.api.books import create_book, list_books
from client.models import ApiTokenCreate, BookCreate, BookStatus, SignUpRequest, TokenAccess

base = sys.argv[1]
for _ in range(100):
    try:
        urllib.request.urlopen(f"{base}/healthz", timeout=1)
        break
    except OSError:
        time.sleep(0.1)

visitor = Client(base_url=base, raise_on_unexpected_status=True)
form = SignUpRequest(email="client@example.org", password="a generated passphrase", display_name="Client")
sign_up.sync(client=visitor, body=form)
made = create_api_token.sync(client=visitor, body=ApiTokenCreate(name="generated", access=TokenAccess.READ_WRITE))
reader = AuthenticatedClient(base_url=base, token=made.secret, raise_on_unexpected_status=True)
book = BookCreate(title="Emma", author="Jane Austen", status=BookStatus.UNDATED)
added = create_book.sync_detailed(client=reader, body=book)
assert added.status_code == 201, added
titles = [book.title for book in list_books.sync(client=reader).data]
assert titles == ["Emma"], titles
print("The generated client lists:", ", ".join(titles))
