"""Runs our tools on names with escape sequences; each message must show them and command nothing.

usage: messages.py BIN FOLDER        FOLDER has the image `p` of messages.test
"""

import os
import socket
import struct
import subprocess
import sys
import threading

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "serve", "Inputs"))
import lent_protocol

BIN, FOLDER = sys.argv[1:3]
os.chdir(FOLDER)
EVIL = "\x1b[31mred\x07\x9b2J"
SHOWN = "\\x1b[31m"
with open("p", "rb") as image_file:
    IMAGE = image_file.read()


def make(name, content):
    with open(name, "wb") as file:
        file.write(content)


def bundle(offset_of_image=None):
    name = b"hip-amdgcn-amd-amdhsa--gfx942" + EVIL.encode()
    head = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", 1)
    at = len(head) + 24 + len(name)
    return head + struct.pack("<QQQ", offset_of_image or at, len(IMAGE), len(name)) + name + IMAGE


def offload_binary(image):
    texts = [b"triple", b"amdgcn-amd-amdhsa", b"arch", b"gfx942" + EVIL.encode()]
    head, entry, pairs = 32, 40, 2 * 16
    at, places = head + entry + pairs, []
    for text in texts:
        places.append(at)
        at += len(text) + 1
    at = (at + 7) // 8 * 8
    body = struct.pack("<4sIQQQ", b"\x10\xff\x10\xad", 1, at + len(image), head, entry)
    body += struct.pack("<HHIQQQQ", 1, 1, 0, head + entry, 2, at, len(image))
    body += struct.pack("<4Q", *places) + b"".join(text + b"\0" for text in texts)
    return body.ljust(at, b"\0") + image


def serve(path, messages):
    """A server that says this to whoever connects, once."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(1)

    def answer():
        client, _ = listener.accept()
        for kind, body in messages:
            client.sendall(struct.pack("<II", kind, len(body)) + body)
        client.settimeout(20)
        try:
            while client.recv(4096):
                pass
        except OSError:
            pass

    threading.Thread(target=answer, daemon=True).start()


TEXT = struct.pack("<I", len(EVIL.encode())) + EVIL.encode()
GREETING, REFUSED, STATUS = (lent_protocol.KIND[name] for name in ("Greeting", "Refused", "Status"))

make("bundle", bundle())
make("outside", bundle(1 << 40))
make("binary", offload_binary(IMAGE))
make("noise", offload_binary(b"\x7fELF" + b"\x01" * 60))
make("p" + EVIL, IMAGE)
make("text" + EVIL, b"text\n")
os.mkdir("folder" + EVIL)
serve("refuses", [(REFUSED, TEXT + b"\0")])
serve("tells", [(GREETING, b""), (STATUS, TEXT)])


def run(status, *words, text="", pattern=SHOWN):
    """A command must end with the status and say `pattern`. Standard output counts where it has none of the program's."""
    tool = [os.path.join(BIN, words[0])] + (["--server=off"] if words[0] == "gpuexec" and "serve" not in words and
                                           not any(word.startswith("--server") for word in words) else [])
    result = subprocess.run(tool + list(words[1:]), input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            timeout=60)
    said = result.stderr + (result.stdout if words[0] == "gpuexec-info" or {"--compare", "serve"} & set(words) else b"")
    problems = []
    if result.returncode != status:
        problems.append("status %d, expected %d" % (result.returncode, status))
    shown = said.decode("utf-8", "surrogateescape")
    bad = {c for c in shown if ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160 or 0xDC80 <= ord(c) <= 0xDCFF}
    if bad:
        problems.append("unescaped: %r" % bad)
    if pattern not in shown:
        problems.append("%r is not there: the name was not printed" % pattern)
    if problems:
        failures.append("%r: %s\n  %r" % (words, "; ".join(problems), said[-600:]))


failures = []
E_ARGUMENT = "own-output" + EVIL
evil = "p" + EVIL
# Records, for what comes below.
run(0, "gpuexec", "--record", "r" + EVIL, evil, E_ARGUMENT)
run(0, "gpuexec", "--record", "other" + EVIL, "--env=X=" + EVIL, "p", "own-output")
run(134, "gpuexec", "--record", "aborts" + EVIL, evil, "abort")
run(139, "gpuexec", "--record", "faults" + EVIL, evil, "fault")
with open("r" + EVIL, "rb") as recording:
    whole = recording.read()
make("cut" + EVIL, whole[:60])
make("bad" + EVIL, whole[:70] + bytes([whole[70] ^ 0xff]) + whole[71:])
make("short" + EVIL, whole[: len(whole) - 160])
for row in [
    # files that are no images, and images
    (127, "gpuexec", "missing" + EVIL),
    (126, "gpuexec", "text" + EVIL),
    (126, "gpuexec", "folder" + EVIL),
    (2, "gpuexec-info", "missing" + EVIL),
    (2, "gpuexec-info", "text" + EVIL),
    (0, "gpuexec-info", evil),
    (0, "gpuexec", "-v", "bundle", "own-output"),
    (0, "gpuexec", "-v", "binary", "own-output"),
    (126, "gpuexec", "outside"),
    (126, "gpuexec", "noise"),
    (2, "gpuexec-info", "outside"),
    (2, "gpuexec-info", "noise"),
    (0, "gpuexec-info", "bundle", "binary"),
    (0, "gpuexec-info", "--csv", evil),
    (1, "gpuexec-info", "--max-registers=0", "--quiet", "bundle"),
    # how a program ends, and what is said about it
    (134, "gpuexec", evil, "abort"),
    (139, "gpuexec", evil, "fault"),
    (124, "gpuexec", "--timeout=0.000001", evil),
    (0, "gpuexec", "--repeat=2", evil, "own-output"),
    (125, "gpuexec", "--junit=missing/" + EVIL, evil),
    (125, "gpuexec", "--stats-json=missing/" + EVIL, evil),
    (125, "gpuexec", "--record=missing/" + EVIL, evil),
    (126, "gpuexec", "--kernel=" + EVIL, evil),
    (125, "gpuexec", "--device=" + EVIL, evil),
    (125, "gpuexec", "--" + EVIL),
    (125, "gpuexec", "--service=" + EVIL, evil),
    (125, "gpuexec", "--sandbox", "--dir=" + EVIL, evil),
    # recordings
    (125, "gpuexec", "--replay", "missing" + EVIL),
    (125, "gpuexec", "--replay", "cut" + EVIL),
    (125, "gpuexec", "--replay", "bad" + EVIL),
    (125, "gpuexec", "--replay", "short" + EVIL),
    (0, "gpuexec", "-v", "--replay", "r" + EVIL),
    (134, "gpuexec", "--replay", "aborts" + EVIL),
    (139, "gpuexec", "--replay", "faults" + EVIL),
    (125, "gpuexec", "--replay", "r" + EVIL, "--until-call=99"),
    (124, "gpuexec", "--timeout=0.000001", "--replay", "r" + EVIL),
    (1, "gpuexec", "--compare", "r" + EVIL, "other" + EVIL),
    (125, "gpuexec", "--compare", "r" + EVIL, "missing" + EVIL),
    (127, "gpu-replay", "missing" + EVIL),
    (125, "gpu-replay", "cut" + EVIL),
    (125, "gpu-replay", "bad" + EVIL),
    (125, "gpu-replay", "short" + EVIL),
    (134, "gpu-replay", "aborts" + EVIL),
    (139, "gpu-replay", "faults" + EVIL),
    (125, "gpu-replay", "--" + EVIL),
    # a server
    (125, "gpuexec", "--server=refuses", evil),
    (0, "gpuexec", "serve", "--status", "--socket=tells"),
    (125, "gpuexec", "serve", "--status", "--socket=missing" + EVIL),
    (125, "gpuexec", "--server=missing" + EVIL, evil),
    (125, "gpuexec", "--server=tcp://" + EVIL + ":1", evil),
]:
    run(*row)
run(0, "gpuexec-info", "--json", "bundle", pattern="\\u001b[31m")
if failures:
    sys.exit("\n".join(failures))
