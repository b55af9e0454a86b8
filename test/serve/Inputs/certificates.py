"""Servers and clients that show certificates: right ones, and wrong ones of each kind, which the other side refuses in words.

usage: certificates.py GPUEXEC FOLDER

FOLDER has the image `hello`. The certificates are made with openssl.
"""

import os
import re
import secrets
import socket
import struct
import subprocess
import sys
import time

import lent_protocol

TIMEOUT = 60
gpuexec, folder = sys.argv[1:3]
os.chdir(folder)
os.umask(0o077)


def fail(text):
    sys.exit("FAILED: " + text)


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def request(name):
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", name + ".key", "-out",
            name + ".csr", "-subj", "/CN=" + name)


def authority(name):
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", name + ".key", "-out",
            name + ".crt", "-subj", "/CN=" + name, "-days", "30")


def certificate(name, by, names="", days=30):
    """Of a server when it has names, else of a client."""
    request(name)
    with open("extensions", "w") as file:
        file.write("extendedKeyUsage=%sAuth\n" % ("server" if names else "client"))
        if names:
            file.write("subjectAltName=%s\n" % names)
    openssl("x509", "-req", "-in", name + ".csr", "-CA", by + ".crt", "-CAkey", by + ".key", "-CAcreateserial", "-days", str(days),
            "-extfile", "extensions", "-out", name + ".crt")


def serve(name, *options):
    """The address at which it listens, or its error."""
    command = [gpuexec, "serve", "--socket=" + folder + "/" + name]
    started = subprocess.run(command + ["--device=emulator:0", "--listen=tcp://127.0.0.1:0", "--idle-exit=120", *options],
                             stdout=subprocess.DEVNULL, stderr=open(name + ".err", "w"), timeout=TIMEOUT)
    if started.returncode:
        with open(name + ".err") as file:
            return file.read()
    status = subprocess.run(command + ["--status"], stdout=subprocess.PIPE, text=True, timeout=TIMEOUT, check=True).stdout
    return re.search(r"listens at (\S+)", status).group(1)


def stop(name):
    subprocess.run([gpuexec, "serve", "--socket=" + folder + "/" + name, "--stop", "--now"], check=True, timeout=TIMEOUT)


def shows(name):
    return ["--certificate=%s.crt" % name, "--certificate-key=%s.key" % name]


def client(address, *options):
    result = subprocess.run([gpuexec, "--device=emulator", "--server=" + address, *options, "hello"], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, timeout=TIMEOUT)
    return result.returncode, result.stdout, result.stderr


def with_certificate(name, by):
    return ["--server-certificate=%s.crt" % name, "--server-certificate-key=%s.key" % name, "--server-authority=%s.crt" % by]


def runs(what, address, *options):
    got = client(address, *options)
    if got != (0, "hello\n", ""):
        fail("%s: %r" % (what, got))


def refused(what, words, got):
    """A client's result, or a server's error."""
    if isinstance(got, tuple):
        status, out, got = got
        if status != 125 or out:
            fail("%s: status %d, %r, %r" % (what, status, out, got))
    if not got.startswith("gpuexec: error: ") or words not in got:
        fail("%s: %r" % (what, got))
    print("%s: %s" % (what, got.removeprefix("gpuexec: error: ").strip()), flush=True)


def listens(port):
    """Without a connection, which would be the one that it serves."""
    with open("/proc/net/tcp") as file:
        return any(line.split()[1].endswith(":%04X" % port) and line.split()[3] == "0A" for line in file.readlines()[1:])


def meets(name):
    """A client's result at a server that shows the certificate, whatever gpuexec thinks of it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen(["openssl", "s_server", "-quiet", "-naccept", "1", "-accept", "127.0.0.1:%d" % port, "-cert",
                               name + ".crt", "-key", name + ".key", "-Verify", "1", "-CAfile", "ours.crt"],
                              stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + TIMEOUT
    while not listens(port) and time.monotonic() < end:
        time.sleep(0.02)
    got = client("tcp://127.0.0.1:%d" % port, *with_certificate("client", "ours"))
    server.kill()
    server.wait()
    return got


def visits(name, address, protocol="-tls1_3"):
    """True when the server greets a client that shows the certificate, whatever gpuexec thinks of it."""
    shown = ["-cert", name + ".crt", "-key", name + ".key"] if name else []
    visitor = subprocess.Popen(["openssl", "s_client", "-quiet", protocol, "-CAfile", "ours.crt", "-connect",
                                address.removeprefix("tcp://"), *shown],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        visitor.stdin.write(struct.pack("<IIII", lent_protocol.KIND["Hello"], 8, lent_protocol.MAGIC, lent_protocol.VERSION))
        visitor.stdin.flush()
    except BrokenPipeError:
        pass
    greeting = visitor.stdout.read(8)  # or its end
    visitor.kill()
    visitor.wait()
    return len(greeting) == 8


def main():
    for name in ("ours", "theirs"):
        authority(name)
    certificate("server", "ours", "IP:127.0.0.1,DNS:localhost")
    certificate("elsewhere", "ours", "DNS:elsewhere.example,IP:127.0.0.2")
    certificate("old-server", "ours", "IP:127.0.0.1", days=-1)
    certificate("stranger-server", "theirs", "IP:127.0.0.1")
    certificate("client", "ours")
    certificate("stranger", "theirs")
    certificate("old", "ours", days=-1)
    with open("key", "w") as file:
        file.write(secrets.token_hex(32))
    with open("both.pem", "w") as file:
        file.write(open("client.crt").read() + open("client.key").read())

    only = serve("only", *shows("server"), "--authority=ours.crt")
    runs("a client with a certificate", only, *with_certificate("client", "ours"))
    runs("its key in the same file", only, "--server-certificate=both.pem", "--server-authority=ours.crt")
    runs("by name", only.replace("127.0.0.1", "localhost"), *with_certificate("client", "ours"))
    os.environ.update(GPUEXEC_SERVER_CERTIFICATE="client.crt", GPUEXEC_SERVER_CERTIFICATE_KEY="client.key",
                      GPUEXEC_SERVER_AUTHORITY="ours.crt")
    runs("as the environment says", only)
    refused("a key that is named is meant", "no secure connection", client(only, "--server-key=key"))
    for name in ("CERTIFICATE", "CERTIFICATE_KEY", "AUTHORITY"):
        del os.environ["GPUEXEC_SERVER_" + name]
    refused("a client of another authority", "no secure connection", client(only, *with_certificate("stranger", "ours")))
    refused("a client with a key only", "no secure connection", client(only, "--server-key=key"))
    refused("a client that trusts another authority", "certificate", client(only, *with_certificate("client", "theirs")))
    refused("a client whose certificate has expired", "this side's certificate has expired",
            client(only, *with_certificate("old", "ours")))
    refused("a client with both", "either with a key or with a certificate",
            client(only, "--server-key=key", *with_certificate("client", "ours")))
    refused("a client without an authority", "certificate client.crt: the file of the authority",
            client(only, *with_certificate("client", "ours")[:2]))
    refused("an authority alone", "ours.crt: without a certificate it is of no use", client(only, "--server-authority=ours.crt"))
    for name, greeted in (("client", True), ("old", False), ("stranger", False), ("server", False), ("", False)):
        if visits(name, only) != greeted:
            fail("%r is%s greeted" % (name, " not" if greeted else ""))
    if visits("client", only, "-tls1_2"):
        fail("TLS 1.2 is spoken")
    runs("after them all", only, *with_certificate("client", "ours"))
    stop("only")

    both = serve("both", *shows("server"), "--authority=ours.crt", "--key=key")
    runs("a server with both, a certificate", both, *with_certificate("client", "ours"))
    runs("a server with both, a key", both, "--server-key=key")
    if visits("", both):
        fail("who has neither is greeted")
    stop("both")

    wrong = serve("wrong", *shows("elsewhere"), "--authority=ours.crt")
    refused("a server with another's name", "mismatch", client(wrong, *with_certificate("client", "ours")))
    stop("wrong")
    refused("a server whose certificate has expired", "certificate has expired", meets("old-server"))
    refused("a server of another authority", "certificate", meets("stranger-server"))
    refused("a server that shows a client's certificate", "purpose", meets("client"))

    refused("--certificate alone", "the file of the authority that signs the other side's is missing", serve("none", *shows("server")))
    refused("another's key", "this side's certificate key is that of another certificate",
            serve("none", "--certificate=server.crt", "--certificate-key=client.key", "--authority=ours.crt"))
    refused("expired", "this side's certificate has expired", serve("none", *shows("old-server"), "--authority=ours.crt"))
    refused("no certificate in it", "this side's certificate is none that can be used",
            serve("none", "--certificate=key", "--certificate-key=server.key", "--authority=ours.crt"))
    refused("no authority in it", "this side's authority has no certificate", serve("none", *shows("server"), "--authority=key"))
    os.chmod("server.key", 0o644)
    refused("a key that others can read", "certificate key server.key: others can read it", serve("none", *shows("server"), "--authority=ours.crt"))
    print("certificates: all is well")


main()
