# SPDX-License-Identifier: Apache-2.0
"""Runs a command on a terminal of its own and types into it.

    terminal.py STEPS COMMAND [ARGUMENT]…

STEPS is JSON: [[TEXT, TYPED], …]: once TEXT has come since the step before, TYPED is typed. Prints what the terminal showed,
and exits with the command's status, 128 + a signal's number.
"""

import json
import os
import pty
import select
import sys
import time

steps = [(text.encode(), typed.encode()) for text, typed in json.loads(sys.argv[1])]
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[2], sys.argv[2:])

shown = b""
seen = 0
deadline = time.monotonic() + 120
while time.monotonic() < deadline:
    if steps:
        found = shown.find(steps[0][0], seen)
        if found >= 0:
            seen = found + len(steps[0][0])
            os.write(terminal, steps.pop(0)[1])
    if not select.select([terminal], [], [], 0.2)[0]:
        continue
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    shown += part
else:
    os.kill(child, 9)

sys.stdout.buffer.write(shown)
sys.stdout.flush()
status = os.waitpid(child, 0)[1]
sys.exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
