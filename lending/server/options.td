// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception ----------------===//
// The options of `gpuexec serve`; they look like gpuexec's own.
include "loader/command_line/option_kinds.td"

def lend_group : OptionGroup<"lend">, HelpText<"Lend">;
let Group = lend_group in {
defm device : Value<"device", "<device>", "A device to lend, as gpuexec --device has it; may be given again. Default: this machine's GPUs, or the emulated one where it has none">;
defm workers : Value<"workers", "<n>", "Most programs at a time on a device (default 8; an emulated device: as many as there are processors)">;
defm spare : Value<"spare", "<n>", "Idle workers to keep ready on each device (default 1)">;
defm memory_limit : Value<"memory-limit", "<bytes>", "Most memory that a program can allocate; K, MiB, MB, G ... multiply">;
defm time_limit : Value<"time-limit", "<time>", "End programs that have had a device for this time (10, 500ms, 2m)">;
defm jobs : Value<"jobs", "<n>", "Most programs of a session (a terminal, a test run) at a time">;
}

def run_group : OptionGroup<"run">, HelpText<"Run">;
let Group = run_group in {
defm socket : Value<"socket", "<path>", "Where clients find the server (default: gpuexec/serve in $XDG_RUNTIME_DIR)">;
defm listen : Value<"listen", "<address>", "Lend to other machines too, which have the same key, at tcp://HOST:PORT (HOST * : all of this machine's) or vsock://CID:PORT; may be given again">;
defm key : Value<"key", "<file>", "For --listen: 64 hexadecimal digits that only you can read. Default: $GPUEXEC_SERVER_KEY, or gpuexec/key in ~/.config">;
defm certificate : Value<"certificate", "<file>", "For --listen: the certificate that this side shows (PEM), with --authority; a key must be named with --key then, to be valid too">;
defm certificate_key : Value<"certificate-key", "<file>", "The certificate's private key (PEM), which only you can read. Default: it is in the certificate's file">;
defm authority : Value<"authority", "<file>", "Who must have signed the certificates of clients on other machines (PEM): whoever has one may use the devices">;
def foreground : Switch<"foreground", "Stay in the foreground; messages go to standard error">;
defm idle_exit : Value<"idle-exit", "<time>", "End when nobody has used a device for this time">;
def status : Switch<"status", "Print what the server does, and exit">;
def stop : Switch<"stop", "End the server when the programs that run have ended">;
def now : Switch<"now", "With --stop: end the programs too">;
def help : Switch<"help", "Print this text and exit">;
def : Flag<["-"], "h">, Alias<help>;
// What the server starts: a process that has one device open.
def work : Flag<["--"], "work">, Flags<[HelpHidden]>;
}
