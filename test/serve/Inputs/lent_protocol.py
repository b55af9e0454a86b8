"""Numbers of the protocol of lent devices, as lending/wire has them: the tests speak the version of today."""

import os
import re

_WIRE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "lending", "wire")


def _read(name):
    with open(os.path.join(_WIRE, name), encoding="utf-8") as file:
        return file.read()


VERSION = int(re.search(r"\bVERSION = (\d+);", _read("messages.h")).group(1))
MAGIC = int(re.search(r"\bMAGIC = (0x\w+);", _read("messages.h")).group(1), 16)
# The number of each message by its name in requests.def, such as KIND["Borrow"].
KIND = {name: int(number, 0) for name, number in re.findall(r"^(?:REQUEST|MESSAGE)\((\w+), (\w+),", _read("requests.def"), re.M)}
