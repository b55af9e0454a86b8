"""The modes in which tests run the emulator's tiers. A mode is a value of GPUEXEC_EMULATOR_JIT. With '+kept' the emulator keeps compiled
code in a folder, and a test runs twice: the second run finds the code of the first."""

MODES = ["0", "baseline", "eager", "random:1", "random:2", "random:3+kept"]


def environment(mode, folder):
    """The environment variables of a mode; `folder`: where code is kept."""
    value, _, kept = mode.partition("+")
    assert kept in ("", "kept"), mode
    return {"GPUEXEC_EMULATOR_JIT": value, **({"GPUEXEC_JIT_CACHE": folder} if kept else {})}


def times(mode):
    """How often a test runs in a mode."""
    return 2 if mode.endswith("+kept") else 1
