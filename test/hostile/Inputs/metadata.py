"""Has the metadata of an image's kernels say other sizes: each of them in turn, from 0 to 2^64 - 1.

usage: metadata.py GPUEXEC IMAGE RESULT
A run may work or be refused. It must not crash, hang, or take memory or time in proportion to a size that is only claimed.
"""

import resource
import struct
import subprocess
import sys

gpuexec, image, result = sys.argv[1:]
KEYS = [".kernarg_segment_size", ".kernarg_segment_align", ".group_segment_fixed_size", ".private_segment_fixed_size",
        ".max_flat_workgroup_size", ".sgpr_count", ".vgpr_count", ".wavefront_size"]
VALUES = [0, 1, 2**31, 2**32 - 1, 2**40, 2**63, 2**64 - 1]
STATUSES = {0: "works", 125: "gpuexec: error: ", 126: "gpuexec: error: ", 139: "device fault"}


def uint(size, text, at):
    return int.from_bytes(text[at:at + size], "big"), at + size


def decode(text, at=0):
    """One value of MessagePack, and where the next one is."""
    tag, at = text[at], at + 1
    if tag < 0x80:
        return tag, at
    if tag in (0xcc, 0xcd, 0xce, 0xcf):
        return uint(1 << (tag - 0xcc), text, at)
    if tag in (0xc2, 0xc3):
        return tag == 0xc3, at
    if 0xa0 <= tag < 0xc0 or 0xd9 <= tag <= 0xdb:
        size, at = (tag & 31, at) if tag < 0xc0 else uint(1 << (tag - 0xd9), text, at)
        return text[at:at + size].decode(), at + size
    is_map = tag < 0x90 or tag in (0xde, 0xdf)
    size, at = (tag & 15, at) if tag < 0xa0 else uint(2 << (tag & 1), text, at)
    values = []
    for _ in range(size * (1 + is_map)):
        value, at = decode(text, at)
        values.append(value)
    return (dict(zip(values[::2], values[1::2])) if is_map else values), at


def encode(value):
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return b"\xcf" + value.to_bytes(8, "big")
    if isinstance(value, str):
        return b"\xdb" + struct.pack(">I", len(value)) + value.encode()
    if isinstance(value, list):
        return b"\xdd" + struct.pack(">I", len(value)) + b"".join(map(encode, value))
    return b"\xdf" + struct.pack(">I", len(value)) + b"".join(encode(k) + encode(v) for k, v in value.items())


data = open(image, "rb").read()
headers, = struct.unpack_from("<Q", data, 32)
size, count = struct.unpack_from("<HH", data, 54)
note = next(at for at in range(headers, headers + size * count, size) if struct.unpack_from("<I", data, at)[0] == 4)
offset, = struct.unpack_from("<Q", data, note + 8)
name_size, text_size, kind = struct.unpack_from("<III", data, offset)
text_at = offset + 12 + (name_size + 3) // 4 * 4


def attempt(key, value):
    metadata, _ = decode(data[text_at:text_at + text_size])
    for kernel in metadata["amdhsa.kernels"]:
        kernel[key] = value
    text = encode(metadata)
    changed = bytearray(data + bytes(-len(data) % 16))
    at = len(changed)
    changed += struct.pack("<III", name_size, len(text), kind) + data[offset + 12:text_at] + text
    changed += bytes(-len(changed) % 4)
    struct.pack_into("<Q", changed, note + 8, at)
    struct.pack_into("<QQ", changed, note + 32, len(changed) - at, len(changed) - at)
    open(result, "wb").write(changed)
    run = subprocess.run([gpuexec, "--device=emulator", "--sandbox", "--timeout=20", result], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, timeout=60)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode not in STATUSES or STATUSES[run.returncode] not in run.stdout or used.ru_maxrss > 1 << 20:
        sys.exit("%s = %#x: status %d, %d KiB: %s" % (key, value, run.returncode, used.ru_maxrss, run.stdout))
    return run.returncode


assert attempt(".kernarg_segment_align", 8) == 0  # the image is still one
statuses = [attempt(key, value) for key in KEYS for value in VALUES]
assert {0, 126} <= set(statuses), statuses
