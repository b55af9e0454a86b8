#!/usr/bin/env python3
"""Runs a command on a terminal of its own of 25 lines and 81 columns, types 'x' when it says so, and prints what the command
printed: on_terminal.py COMMAND..."""
import fcntl
import os
import pty
import struct
import sys
import termios

pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 81, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
seen = b""
while True:
    try:
        piece = os.read(terminal, 1000)
    except OSError:  # EIO: the command has ended
        break
    if not piece:
        break
    if b"type now" in seen + piece and b"type now" not in seen:
        os.write(terminal, b"x")
    seen += piece
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.stdout.write(seen.decode().replace("\r", ""))
sys.exit(status)
