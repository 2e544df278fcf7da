"""The handler of an aiosmtpd server that keeps what it accepts, a line of JSON for each message."""

import asyncio
import base64
import json

from aiosmtpd.smtp import AuthResult, MISSING


class Mailbox:
    def __init__(self, file, password):
        self.file = file
        self.password = password.encode()
        self.has_held = False

    @classmethod
    def from_cli(cls, parser, *args):
        return cls(*args)

    async def auth_PLAIN(self, server, args):
        blob = args[1] if len(args) > 1 else await server.challenge_auth("")
        if blob is MISSING:
            return AuthResult(success=False, handled=True)
        if isinstance(blob, str):
            blob = base64.b64decode(blob)
        _, user, password = blob.split(b"\0")
        # Not handled: aiosmtpd replies with 535.
        return AuthResult(success=password == self.password, handled=False, auth_data=user.decode())

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("refused@"):
            return "550 5.1.1 unknown user"
        if address.startswith("slow@"):
            await asyncio.sleep(3600)
        if address.startswith("members@") and not session.authenticated:
            return "530 5.7.0 authentication required"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "tls": session.ssl is not None,
            "user": session.auth_data,
            "content": envelope.content.decode(),
        }
        with open(self.file, "a") as out:
            out.write(json.dumps(message) + "\n")
        if envelope.rcpt_tos[0].startswith("unconfirmed@") and not self.has_held:
            self.has_held = True
            await asyncio.sleep(3600)
        return "250 OK"
