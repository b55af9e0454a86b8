"""Overwrites bytes of a section.

usage: damage.py IMAGE RESULT SECTION OFFSET BYTE...
"""

import struct
import sys

image, result, section, offset = sys.argv[1:5]
data = bytearray(open(image, "rb").read())
table, = struct.unpack_from("<Q", data, 40)
size, count, names = struct.unpack_from("<HHH", data, 58)


def header(index):
    return struct.unpack_from("<IIQQQQ", data, table + index * size)


for index in range(count):
    name, _, _, _, begin, length = header(index)
    if data[header(names)[4] + name:].split(b"\0", 1)[0] == section.encode():
        break
else:
    sys.exit("%s: no section %s" % (image, section))
new = bytes(int(byte, 0) for byte in sys.argv[5:])
if int(offset, 0) + len(new) > length:
    sys.exit("%s: %s has %d bytes" % (image, section, length))
data[begin + int(offset, 0):begin + int(offset, 0) + len(new)] = new
open(result, "wb").write(data)
