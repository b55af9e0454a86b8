"""A lit configuration module: run tests of GPU programs through gpuexec.

Use it from a project's own lit.cfg.py:

    import sys; sys.path.insert(0, "<prefix>/share/gpuexec/lit")
    import gpuexec_lit
    gpuexec_lit.configure(config, lit_config)

It adds substitutions, features, the environment and a parallelism group for one device:

    %gpucc      gpucc --arch=ARCH for the chosen device
    %lanes      an option for gpucc: threads stay lanes of waves, also where the program cannot tell
    %gpuexec    gpuexec --device=DEVICE
    %run        the same with a time limit, for tests that are not about gpuexec's own options
    %arch       the device's architecture: gfx942, sm_90 ...
    features    gpuexec; the kind of device (emulator, hsa, cuda), its vendor (amdgpu, nvptx), its architecture, gfx9;
                gpu for real hardware

The device is, in this order: the argument, lit's -D gpuexec_device=..., the environment variable
GPUEXEC_TEST_DEVICES (its first entry), GPUEXEC_DEVICE, else the best one that gpuexec finds.
"""

import os
import re
import shutil
import subprocess


class Device:
    """One line of `gpuexec --list-devices`: name as --device takes it, architecture, and the whole line."""

    def __init__(self, line):
        self.description = line.strip()
        self.name = self.description.split()[0]
        found = re.search(r"\b(gfx[0-9a-f]+|sm_[0-9]+[a-z]?)\b", self.description)
        self.arch = found.group(1) if found else "gfx942"
        self.kind = self.name.split(":")[0]

    @property
    def vendor(self):
        return "nvptx" if self.arch.startswith("sm_") else "amdgpu"


def list_devices(gpuexec):
    """All devices that gpuexec finds, best first."""
    output = subprocess.run(
        [gpuexec, "--list-devices"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=60, check=True
    ).stdout
    return [Device(line) for line in output.splitlines() if re.match(r"[a-z]+(:[0-9]+)? ", line)]


def choose_device(gpuexec, name=None):
    """The device called `name` (cuda means the first of its kind), or the best one."""
    devices = list_devices(gpuexec)
    for device in devices:
        if name in (None, "", "auto", device.name, device.kind):
            return device
    raise LookupError(
        "no device '%s' here; gpuexec --list-devices says: %s" % (name, ", ".join(d.name for d in devices) or "none")
    )


def configure(config, lit_config, device=None, bin_dir=None, timeout=120, run_with=""):
    """Adds what the module promises to `config`; returns the chosen Device.

    device: a name, a Device, or None; bin_dir: where gpuexec and gpucc are (default: PATH);
    timeout: seconds that %run allows a program; run_with: more of gpuexec's options for %run.
    """
    path = bin_dir or os.environ.get("PATH")
    gpuexec = shutil.which("gpuexec", path=path)
    gpucc = shutil.which("gpucc", path=path)
    if not gpuexec:
        lit_config.fatal("gpuexec not found in %s" % path)
    if not isinstance(device, Device):
        name = (
            device
            or lit_config.params.get("gpuexec_device")
            or os.environ.get("GPUEXEC_TEST_DEVICES", "").split(",")[0]
            or os.environ.get("GPUEXEC_DEVICE")
        )
        try:
            device = choose_device(gpuexec, name)
        except (LookupError, OSError, subprocess.SubprocessError) as error:
            lit_config.fatal(str(error))

    launcher = "%s --device=%s" % (gpuexec, device.name)
    config.substitutions += [
        ("%gpucc", "%s --arch=%s" % (gpucc or "gpucc-not-found", device.arch)),
        ("%lanes", "--gpu-max-threads-per-block=1024" if device.vendor == "amdgpu" else ""),
        ("%gpuexec", launcher),
        ("%run", "%s --timeout %d %s" % (launcher, timeout, run_with)),
        ("%arch", device.arch),
    ]
    config.available_features |= {"gpuexec", device.kind, device.vendor, device.arch}
    if device.arch.startswith("gfx9"):
        config.available_features.add("gfx9")  # Vega and CDNA: waves of 64 lanes, their assembly
    if device.kind != "emulator":
        config.available_features.add("gpu")
    config.environment["GPUEXEC_DEVICE"] = device.name
    # Drivers run out of scratch and queues with many processes; the emulator is an ordinary program.
    lit_config.parallelism_groups["gpuexec-exclusive"] = 1
    lit_config.parallelism_groups["gpuexec-gpu"] = int(os.environ.get("GPUEXEC_TEST_JOBS", "4"))
    if device.kind != "emulator":
        config.parallelism_group = "gpuexec-gpu"
    return device
