"""A program in a virtual machine, on a device of its host's: QEMU boots a Debian kernel with a small file system in memory.

usage: guest.py GPUEXEC FOLDER ADDRESS

ADDRESS (tcp://127.0.0.1:PORT) is a server's of this machine, FOLDER has its key and the image `program`. In the guest the host
is 10.0.2.2. Then the guest is server and client by itself, over vsock, on the emulated device: QEMU alone gives no vsock to its
host. What the guest prints is printed.
"""

import glob
import gzip
import os
import re
import shutil
import subprocess
import sys

TIMEOUT = 600

INIT = """#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mkdir -p /tmp /run
for module in /modules/*.ko; do insmod $module; done
ip addr add 127.0.0.1/8 dev lo; ip link set lo up
ip addr add 10.0.2.15/24 dev eth0; ip link set eth0 up
export PATH=/opt/bin:/bin HOME=/tmp GPUEXEC_SERVER_KEY=/key
cd /
echo 'a file of the guest' > file
echo line | gpuexec --server=tcp://10.0.2.2:{port} --verbose /program one two
echo "over TCP: status $?"
gpuexec serve --device=emulator:0 --socket=/run/socket --listen='vsock://*:7070'
echo line | gpuexec --server=vsock://1:7070 --verbose /program one two
echo "over vsock: status $?"
gpuexec serve --socket=/run/socket --status
gpuexec serve --socket=/run/socket --stop
poweroff -f
"""
MODULES = ["drivers/net/ethernet/intel/e1000/e1000.ko", "net/vmw_vsock/vsock.ko",
           "net/vmw_vsock/vmw_vsock_virtio_transport_common.ko", "net/vmw_vsock/vsock_loopback.ko"]


def newest_kernel():
    """(image, folder of its modules)"""
    for path in sorted(glob.glob("/boot/vmlinuz-*"), reverse=True):
        modules = "/lib/modules/" + path.split("-", 1)[1]
        if all(os.path.exists(os.path.join(modules, "kernel", name)) for name in MODULES):
            return path, os.path.join(modules, "kernel")
    sys.exit("no kernel with its modules in /boot")


def libraries(program):
    output = subprocess.run(["ldd", program], stdout=subprocess.PIPE, check=True, text=True).stdout
    return re.findall(r"(/\S+) \(0x", output)


def fill(root, gpuexec, folder, port, modules):
    lib = os.path.join(os.path.dirname(gpuexec), "..", "lib", "gpuexec")
    files = {"/bin/busybox": shutil.which("busybox"), "/opt/bin/gpuexec": gpuexec, "/key": folder + "/key",
             "/program": folder + "/program", "/opt/lib/gpuexec/gpuexec-relay": lib + "/gpuexec-relay",
             "/opt/lib/gpuexec/libhsa-runtime64.so.1": lib + "/libhsa-runtime64.so.1"}
    for program in [path for name, path in files.items() if name.startswith("/opt/")]:
        for library in libraries(program):
            files[library] = library
    for number, name in enumerate(MODULES):
        files["/modules/%d.ko" % number] = os.path.join(modules, name)
    for name, path in files.items():
        os.makedirs(root + os.path.dirname(name), exist_ok=True)
        shutil.copy(path, root + name)
    os.chmod(root + "/key", 0o600)
    for name in ("proc", "sys", "dev"):
        os.makedirs(root + "/" + name, exist_ok=True)
    with open(root + "/init", "w") as file:
        file.write(INIT.format(port=port))
    os.chmod(root + "/init", 0o755)


def main():
    gpuexec, folder, address = sys.argv[1:4]
    kernel, modules = newest_kernel()
    root = folder + "/root"
    shutil.rmtree(root, ignore_errors=True)
    fill(root, gpuexec, folder, address.rsplit(":", 1)[1], modules)
    names = subprocess.run(["find", ".", "-print0"], cwd=root, stdout=subprocess.PIPE, check=True).stdout
    archive = subprocess.run(["cpio", "--null", "-o", "-H", "newc", "-R", "0:0", "--quiet"], cwd=root, input=names,
                             stdout=subprocess.PIPE, check=True).stdout
    with gzip.open(folder + "/initrd", "wb", 1) as file:
        file.write(archive)
    # Without KVM, which hangs or ends in guests of some clouds: half a minute.
    subprocess.run(["qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-m", "2048", "-nographic", "-no-reboot", "-kernel", kernel,
                    "-initrd", folder + "/initrd", "-append", "console=ttyS0 quiet panic=-1",
                    "-netdev", "user,id=net", "-device", "e1000,netdev=net"], stdin=subprocess.DEVNULL, timeout=TIMEOUT, check=True)


main()
