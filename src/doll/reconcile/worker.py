"""The second process of a large build: reads its share from stdin, answers on stdout, and ends.

It ends at once when its input does, which is when the process that started it is gone. It writes
no file. See `sharing`.
"""

import os
import signal
import sys
import threading
from pathlib import Path

import msgspec

from doll.reconcile.parts import Reader
from doll.reconcile.sharing import STEP, Share, receive, send, send_part

_SIZE = 8


def main() -> int:
    """Read the share, tell how far it is as messages of 8 bytes, and send the part."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    message = receive(sys.stdin.buffer)
    if message is None:
        return 1
    share = msgspec.msgpack.decode(message, type=Share)
    threading.Thread(target=_end_with_input, daemon=True).start()
    reader = Reader(Path(os.fsdecode(share.root)), share.serial, len(share.items))
    for done, item in enumerate(share.items):
        if done % STEP == 0:
            send(sys.stdout.buffer, done.to_bytes(_SIZE, "little"))
        reader.read(item)
    send_part(sys.stdout.buffer, reader.part())
    return 0


def _end_with_input() -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
