"""Runs a command of a test suite with limits of time and memory, and leaves nothing of it behind."""

import os
import re
import resource
import signal
import subprocess


class Run:
    """How a command ended: its status as a shell gives it, None after its time limit; what it printed."""

    def __init__(self, command, folder, limit, memory, environment=None):
        most = resource.getrlimit(resource.RLIMIT_AS)[1]  # what the caller's ulimit -v allows
        memory = memory if most == resource.RLIM_INFINITY else min(memory, most)
        process = subprocess.Popen(["prlimit", "--as=%d" % memory, "--core=0", *command], cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                                   env=dict(os.environ, LC_ALL="C.UTF-8", **(environment or {})))
        try:
            text, _ = process.communicate(timeout=limit)
            self.status = process.returncode if process.returncode >= 0 else 128 - process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            text, _ = process.communicate()
            self.status = None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # what the test left behind, too
            except ProcessLookupError:
                pass
        self.text = text.decode(errors="replace")

    def how(self):
        """One line: status and what was said last."""
        said = [line.strip() for line in self.text.splitlines() if line.strip()]
        return "%s%s" % ("not finished in time" if self.status is None else "status %d" % self.status, ": " + said[-1][:160] if said else "")

    def error(self):
        """The first error that a compiler or linker printed."""
        errors = [line for line in self.text.splitlines() if re.search(r"\berror\b|undefined|PLEASE submit", line)]
        return (errors[0].strip()[:200] if errors else self.how()) if self.status is not None else "takes too long"
