"""Writes copies of an AMDGPU image with one size changed.

  kernel_sizes.py IN OUT KEY VALUE     a number of the metadata of all kernels, "kernarg_segment_size" for instance
  kernel_sizes.py IN OUT memory VALUE  the size in memory of the last segment, which becomes executable as well
"""
import struct
import sys

NOTE = struct.Struct("<III8s")  # sizes of name and contents, type, "AMDGPU"


def number_length(first):
    """Bytes of a MessagePack unsigned number that begins so."""
    return {0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9}.get(first, 1)


def change_key(note, key, value):
    key = b"." + key.encode()
    key = (bytes([0xA0 | len(key)]) if len(key) < 32 else bytes([0xD9, len(key)])) + key
    parts = note.split(key)
    assert len(parts) > 1, "no such key"
    number = b"\xcf" + struct.pack(">Q", value)
    return parts[0] + b"".join(key + number + part[number_length(part[0]):] for part in parts[1:])


def main(source, target, key, value):
    image = bytearray(open(source, "rb").read())
    value = int(value, 0)
    phoff, shoff = struct.unpack_from("<QQ", image, 32)
    phsize, phcount, shsize, shcount = struct.unpack_from("<HHHH", image, 54)
    programs = [phoff + i * phsize for i in range(phcount)]
    if key == "memory":
        last = max((p for p in programs if struct.unpack_from("<I", image, p)[0] == 1),
                   key=lambda p: struct.unpack_from("<Q", image, p + 16)[0])
        struct.pack_into("<I", image, last + 4, 7)
        struct.pack_into("<Q", image, last + 40, value)
    else:
        place = next(p for p in programs if struct.unpack_from("<I", image, p)[0] == 4)
        offset = struct.unpack_from("<Q", image, place + 8)[0]
        size = NOTE.unpack_from(image, offset)[1]
        text = change_key(bytes(image[offset + NOTE.size:offset + NOTE.size + size]), key, value)
        image += bytes(-len(image) % 8)
        new = len(image)
        image += NOTE.pack(7, len(text), 32, b"AMDGPU") + text + bytes(-len(text) % 4)
        struct.pack_into("<Q", image, place + 8, new)
        struct.pack_into("<QQ", image, place + 32, len(image) - new, len(image) - new)
        for i in range(shcount):
            section = shoff + i * shsize
            if struct.unpack_from("<I", image, section + 4)[0] == 7:
                struct.pack_into("<QQ", image, section + 24, new, len(image) - new)
    open(target, "wb").write(image)


main(*sys.argv[1:])
