"""A lit configuration module: run tests of GPU programs through gpuexec.

Use it from a project's own lit.cfg.py:

    import sys; sys.path.insert(0, "<prefix>/share/gpuexec/lit")
    import gpuexec_lit
    gpuexec_lit.configure(config, lit_config)

It adds substitutions, features, the environment and a parallelism group for one device:

    %gpucc      gpucc --arch=ARCH for the chosen device
    %gpucxx     gpuc++ likewise
    %lanes      an option for gpucc: threads stay lanes of waves, also where the program cannot tell
    %gpuexec    gpuexec --device=DEVICE
    %run        the same with a time limit, for tests that are not about gpuexec's own options
    %arch       the device's architecture: gfx942, sm_90 ...
    features    gpuexec; the kind of device (emulator, hsa, cuda; emulated-nvptx for the emulated NVIDIA GPU), its vendor (amdgpu,
                nvptx), its architecture, gfx9; gpu for real hardware; machine-code where programs are machine code, not
                PTX

On real hardware a program takes some hundred milliseconds to open the driver. The module therefore uses a server
(`gpuexec serve`): the one that GPUEXEC_SERVER names, or the user's own where one runs, or one that it starts for this run of
lit and stops after it. GPUEXEC_SERVER=off does without. With GPUEXEC_TOGETHER=N in
the environment the module's own server runs up to N programs side by side on an NVIDIA GPU (`gpuexec serve --together`); %run
then has --rerun: a test that a fault of another one has ended runs again.

The device is, in this order: the argument, lit's -D gpuexec_device=..., the environment variable
GPUEXEC_TEST_DEVICES (its first entry), GPUEXEC_DEVICE, else the best one that gpuexec finds.

The tools are, in this order: bin_dir, the bin folder of the prefix that this module is installed in, PATH. FileCheck and its kin, which
Debian keeps in /usr/lib/llvm-*/bin, are put on the tests' PATH where they are not on it. The seconds that %run allows are the
argument, lit's -D gpuexec_timeout=..., GPUEXEC_TEST_TIMEOUT, else 120.
"""

import atexit
import glob
import os
import re
import shutil
import subprocess
import tempfile


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


def together(device):
    """How many programs are to run side by side on the device; 1: they take turns."""
    text = os.environ.get("GPUEXEC_TOGETHER", "")
    return int(text) if text.isdigit() and device.kind == "cuda" else 1


def start_server(gpuexec, device):
    """Starts a server that is stopped at the end of this run of lit. Returns its socket, or None if it cannot be started."""
    folder = tempfile.mkdtemp(prefix="gpuexec-lit-")
    socket = os.path.join(folder, "serve")
    own = os.getpid()

    def stop():
        if os.getpid() != own:  # in a worker of lit, which is a copy of this process
            return
        subprocess.run([gpuexec, "serve", "--socket=" + socket, "--stop", "--now"], stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    # --idle-exit: if lit is killed, the server ends by itself.
    command = [gpuexec, "serve", "--device=" + device.name, "--socket=" + socket, "--idle-exit=60"]
    if together(device) > 1:
        command.append("--together=%d" % together(device))
    try:
        result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                timeout=120)
    except (OSError, subprocess.SubprocessError):
        return None
    return socket if result.returncode == 0 else None


def choose_server(gpuexec, device, serve):
    """The value of GPUEXEC_SERVER for the tests, or None: then gpuexec uses the user's own server, or opens the device itself."""
    named = os.environ.get("GPUEXEC_SERVER")
    if named or serve is False or (serve is None and device.kind == "emulator"):
        return named
    status = subprocess.run([gpuexec, "serve", "--status"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
    return None if status.returncode == 0 else start_server(gpuexec, device)


def own_bin():
    """The bin folder beside this module, <prefix>/bin for <prefix>/share/gpuexec/lit; None where no gpuexec is there."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 3, "bin")
    return os.path.normpath(folder) if os.access(os.path.join(folder, "gpuexec"), os.X_OK) else None


def find_llvm(path):
    """The folder of the newest of Debian's LLVMs with FileCheck. None if FileCheck is on PATH, or no LLVM has it."""
    if shutil.which("FileCheck", path=path):
        return None
    folders = [os.path.dirname(file) for file in glob.glob("/usr/lib/llvm-*/bin/FileCheck")]
    return max(folders, key=lambda folder: int(re.search(r"llvm-([0-9]+)", folder)[1]), default=None)


def choose_timeout(lit_config, timeout):
    """The seconds that %run allows a program."""
    text = lit_config.params.get("gpuexec_timeout") or os.environ.get("GPUEXEC_TEST_TIMEOUT")
    if timeout is not None or not text:
        return timeout or 120
    if not text.isdigit() or int(text) == 0:
        lit_config.fatal("gpuexec_timeout is '%s'; it is a number of seconds" % text)
    return int(text)


def configure(config, lit_config, device=None, bin_dir=None, timeout=None, run_with="", serve=None, gpucc=None, run_through=""):
    """Adds the substitutions, features, environment and parallelism groups described above to `config`. Returns the chosen Device.

    device: a name, a Device, or None; bin_dir: the folder of gpuexec and gpucc (default: beside this module, else PATH);
    timeout: seconds that %run allows a program (default: see above); run_with: more options of gpuexec for %run;
    serve: whether to use a server (default: on real hardware);
    gpucc: the compiler (default: the one beside gpuexec);
    run_through: a command that gets gpuexec's command line and runs it.
    """
    path = bin_dir or os.pathsep.join(filter(None, [own_bin(), os.environ.get("PATH")]))
    gpuexec = shutil.which("gpuexec", path=path)
    gpucc = gpucc or shutil.which("gpucc", path=path)
    if not gpuexec:
        lit_config.fatal("gpuexec not found in %s; put it on PATH, or call configure(..., bin_dir=FOLDER)" % path)
    timeout = choose_timeout(lit_config, timeout)
    llvm = find_llvm(config.environment.get("PATH", os.environ.get("PATH")))
    if llvm:
        config.environment["PATH"] = os.pathsep.join(filter(None, [config.environment.get("PATH", os.environ.get("PATH")), llvm]))
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

    # `emulator` is for what only emulated AMD GPUs have.
    kind = "emulated-nvptx" if device.kind == "emulator" and device.vendor == "nvptx" else device.kind
    # An emulated NVIDIA GPU has no machine code.
    for_arch = "--arch=%s%s" % (device.arch, " --emit-ptx" if kind == "emulated-nvptx" else "")
    launcher = ("%s %s --device=%s" % (run_through, gpuexec, device.name)).strip()
    config.substitutions += [
        ("%gpucc", "%s %s" % (gpucc or "gpucc-not-found", for_arch)),
        ("%gpucxx", "%s %s" % (os.path.join(os.path.dirname(gpucc), "gpuc++") if gpucc else "gpuc++-not-found", for_arch)),
        ("%lanes", "--gpu-max-threads-per-block=1024" if device.vendor == "amdgpu" else ""),
        ("%gpuexec", launcher),
        ("%run", "%s --timeout %d %s" % (launcher, timeout, " ".join(filter(None, ["--rerun" * (together(device) > 1), run_with])))),
        ("%arch", device.arch),
    ]
    config.available_features |= {"gpuexec", kind, device.vendor, device.arch}
    if kind != "emulated-nvptx":
        config.available_features.add("machine-code")
    if device.arch.startswith("gfx9"):
        config.available_features.add("gfx9")  # Vega and CDNA: waves of 64 lanes, their assembly
    if device.kind != "emulator":
        config.available_features.add("gpu")
    config.environment["GPUEXEC_DEVICE"] = device.name
    if "GPUEXEC_SERVER" not in config.environment:
        server = choose_server(gpuexec, device, serve)
        if server:
            config.environment["GPUEXEC_SERVER"] = server
    if "XDG_RUNTIME_DIR" in os.environ:  # where the user's own server is
        config.environment.setdefault("XDG_RUNTIME_DIR", os.environ["XDG_RUNTIME_DIR"])
    # With many processes drivers run out of scratch memory and queues, unless a server has the device. The emulator
    # needs no limit.
    lit_config.parallelism_groups["gpuexec-exclusive"] = 1
    served = config.environment.get("GPUEXEC_SERVER", "off") != "off"
    lit_config.parallelism_groups["gpuexec-gpu"] = int(os.environ.get("GPUEXEC_TEST_JOBS", max(together(device), 16) if served else 4))
    if device.kind != "emulator":
        config.parallelism_group = "gpuexec-gpu"
    return device
