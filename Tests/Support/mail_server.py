#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A mail server on loopback: mail_server.py FOLDER

Prints `listening on PORT`. Each mail is written to FOLDER/NNN.json, whole: {"from", "to", "subject", "headers", "text"}, with
encoded words and the body decoded, and the names of the header's fields in their order.
"""

import asyncio
import email
import email.policy
import json
import os
import sys

from aiosmtpd.smtp import SMTP

folder = sys.argv[1]


class Handler:
    count = 0

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        Handler.count += 1
        path = os.path.join(folder, "%03d.json" % Handler.count)
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(
                {
                    "from": envelope.mail_from, "to": envelope.rcpt_tos, "subject": str(mail["subject"]),
                    "headers": [name.lower() for name in mail.keys()], "text": mail.get_content(),
                    "longest": max(len(line) for line in envelope.content.splitlines()),
                }, file)
        os.rename(path + ".new", path)
        return "250 taken"


async def serve():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Handler(), hostname="127.0.0.1", loop=loop), "127.0.0.1", 0)
    print("listening on %d" % server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(serve())
