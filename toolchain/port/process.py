# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command with everything that it starts, and ends all of it at a limit or at Ctrl-C."""

import os
import signal
import subprocess
import time


class Interrupted(Exception):
    """Ctrl-C came while a command ran; the command and its children have ended."""


def run(command, folder, environment, limit, tick=None, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, pause=5):
    """(status, seconds) of a command in a process group of its own; status is None after `limit` seconds.

    tick(seconds) is called every `pause` seconds. The whole group is killed at the limit and at Ctrl-C.
    """
    began = time.monotonic()
    process, status, early = None, None, []
    try:
        # An exception while Popen starts the command would lose the process, so a signal is only noted until Popen has
        # returned.
        handlers = {number: signal.signal(number, lambda *_: early.append(True)) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        try:
            process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
                                       start_new_session=True)
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
        if early:
            raise KeyboardInterrupt
        while status is None and time.monotonic() - began < limit:
            try:
                status = process.wait(timeout=min(pause, max(0.01, limit - (time.monotonic() - began))))
            except subprocess.TimeoutExpired:
                if tick:
                    tick(time.monotonic() - began)
    except KeyboardInterrupt:
        raise Interrupted() from None
    finally:
        if process:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # also processes that the command has left running
            except ProcessLookupError:
                pass
            process.wait()
    return status, time.monotonic() - began
