"""A mail server for the tests: aiosmtpd, which prints its port, and each letter that it takes as a line of JSON."""
import argparse
import asyncio
import json
import logging
import ssl
import warnings
from email import message_from_bytes, policy

from aiosmtpd.smtp import SMTP, AuthResult


class Sink:
    def __init__(self, busy):
        self.busy = busy

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("unknown@"):
            return f"550 5.1.1 <{address}>: there is nobody of that name"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if self.busy > 0:
            self.busy -= 1
            print(json.dumps({"busy": True}), flush=True)
            return f"451 4.3.0 Busy, {envelope.rcpt_tos[0]} has to wait"
        letter = message_from_bytes(envelope.content, policy=policy.default)
        part = lambda kind: letter.get_body((kind,)).get_content()
        print(json.dumps({
            "sender": envelope.mail_from,
            "recipients": envelope.rcpt_tos,
            "headers": {name.lower(): str(value) for name, value in letter.items()},
            "text": part("plain"),
            "html": part("html"),
            "private": session.ssl is not None or server.transport.get_extra_info("sslcontext") is not None,
            "user": session.auth_data,
        }), flush=True)
        return "250 OK"


async def main():
    # What it thinks of a client that hangs up, or of a password without TLS, is what the tests are about: no news.
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    flags = argparse.ArgumentParser()
    flags.add_argument("--tls", choices=["none", "starttls", "wrapped"], default="none")
    flags.add_argument("--cert")
    flags.add_argument("--key")
    flags.add_argument("--user")
    flags.add_argument("--password")
    flags.add_argument("--busy", type=int, default=0, help="how many letters to put off")
    given = flags.parse_args()
    context = None
    if given.tls != "none":
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(given.cert, given.key)

    def authenticate(server, session, envelope, mechanism, login):
        known = (login.login.decode(), login.password.decode()) == (given.user, given.password)
        return AuthResult(success=known, handled=False, auth_data=given.user)

    sink = Sink(given.busy)
    starttls = given.tls == "starttls"
    make = lambda: SMTP(
        sink,
        hostname="localhost",
        enable_SMTPUTF8=True,
        tls_context=context if starttls else None,
        require_starttls=starttls,
        auth_required=given.user is not None,
        auth_require_tls=starttls,
        authenticator=authenticate if given.user else None,
    )
    wrapped = context if given.tls == "wrapped" else None
    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0, ssl=wrapped)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await server.serve_forever()


asyncio.run(main())
