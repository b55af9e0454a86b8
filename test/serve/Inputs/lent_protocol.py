"""The version of the protocol of lent devices, as the header has it: the tests speak the version of today."""

import os
import re

_HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "lending", "wire", "protocol.h")
with open(_HEADER, encoding="utf-8") as _file:
    VERSION = int(re.search(r"\bPROTOCOL_VERSION = (\d+);", _file.read()).group(1))
