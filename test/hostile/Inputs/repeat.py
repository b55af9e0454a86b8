"""Has an ELF image name the same bytes many times.

usage: repeat.py IMAGE RESULT loads|notes|functions COUNT
loads, notes: program headers, each a copy of the first of its kind; functions: symbols, copies of the largest function
without a name.
"""

import struct
import sys

image, result, what, count = sys.argv[1:]
count = int(count)
data = bytearray(open(image, "rb").read())
data += bytes(-len(data) % 8)
program, sections = struct.unpack_from("<QQ", data, 32)
program_size, program_count, section_size, section_count = struct.unpack_from("<HHHH", data, 54)
headers = [bytes(data[program + i * program_size:][:program_size]) for i in range(program_count)]
if what in ("loads", "notes"):
    kind = 1 if what == "loads" else 4
    headers += [next(h for h in headers if h[0] == kind)] * count
    struct.pack_into("<Q", data, 32, len(data))
    struct.pack_into("<H", data, 56, len(headers))
    data += b"".join(headers)
else:
    for index in range(section_count):
        at = sections + index * section_size
        if struct.unpack_from("<I", data, at + 4)[0] == 2:  # SHT_SYMTAB
            begin, size = struct.unpack_from("<QQ", data, at + 24)
            symbols = [bytes(data[begin + i:][:24]) for i in range(0, size, 24)]
            function = max((s for s in symbols if s[4] & 15 == 2), key=lambda s: struct.unpack_from("<Q", s, 16))
            struct.pack_into("<QQ", data, at + 24, len(data), size + 24 * count)
            data += b"".join(symbols) + (bytes(4) + function[4:]) * count
open(result, "wb").write(data)
