// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuexec's options. Names follow llvm-gpu-loader's; every one takes one or two
// dashes, and its value as `--name=VALUE` or `--name VALUE`. The help texts, the
// parser and shell completion all come from this table, in its order: the
// options that matter first.
include "loader/command_line/option_kinds.td"

def run_group : OptionGroup<"run">, HelpText<"Run">;
let Group = run_group in {
defm device : Value<"device", "<device>", "auto (default), cuda[:N], hsa[:N] or emulator[:N]; N is a number or an architecture (emulator:gfx1100). GPUEXEC_DEVICE sets the default">, Flags<[Basic]>;
def list_devices : Switch<"list-devices", "List the devices of this machine and exit">, Flags<[Basic]>;
def json : Switch<"json", "With --list-devices: as JSON">;
defm threads : Value<"threads", "<n>", "Threads of a block in x (default 1). Each of them runs main, unless the program creates threads itself (pthreads, OpenMP): then main runs once, and threads get the whole device. Where a thread is a block (gpucc --help): as many times the blocks">, Flags<[Basic]>;
defm blocks : Value<"blocks", "<n>", "Blocks in x (default 1)">, Flags<[Basic]>;
defm threads_x : Value<"threads-x", "<n>", "The same as --threads">;
defm threads_y : Value<"threads-y", "<n>", "Threads of a block in y">;
defm threads_z : Value<"threads-z", "<n>", "Threads of a block in z">;
defm blocks_x : Value<"blocks-x", "<n>", "The same as --blocks">;
defm blocks_y : Value<"blocks-y", "<n>", "Blocks in y">;
defm blocks_z : Value<"blocks-z", "<n>", "Blocks in z">;
defm timeout : Value<"timeout", "<time>", "End with status 124 after this time (10, 500ms, 2m); and say where the program is">, Flags<[Basic]>;
defm env : Value<"env", "<name>[=<value>]", "Set a variable of the program's environment; without a value: pass ours on, which --sandbox does for no others. May be given again">, Flags<[Basic]>;
defm heap_size : Value<"heap-size", "<bytes>", "Most memory that the program can allocate; 4096, 64K, 16MiB, 10MB, 2G. Default on the emulated GPU: half of what is free">, Flags<[Basic]>;
defm recursion_size : Value<"recursion-size", "<bytes>", "Most memory that a thread's recursion takes beyond its stack (default 256M)">;
defm stack_size : Value<"stack-size", "<bytes>", "Stack of a thread where the compiler could not tell; 4096, 64K, 16MiB, 10MB, 2G">;
defm repeat : Value<"repeat", "<n>", "Run the program this many times; end with the first status that is not 0">;
def until_fail : Switch<"until-fail", "Run the program until it ends with a status that is not 0">;
defm junit : Value<"junit", "<file>", "Write the results of all runs as JUnit XML">;
defm kernel : Value<"kernel", "<name>", "Launch this kernel without arguments instead of _start; may be given again">;
defm constructors : Value<"constructors", "<who>", "Who runs constructors: auto (default), begin (_begin, LLVM 22 and before) or runtime (LLVM 23)">;
defm service : Value<"service", "<library>", "Serve further opcodes from a shared library; may be given again">;
def no_parallelism : Switch<"no-parallelism", "Wait until no other gpuexec with this option runs">;
}

def look_group : OptionGroup<"look">, HelpText<"See what happens">;
let Group = look_group in {
def verbose : Switch<"verbose", "Print each step and its duration on standard error">, Flags<[Basic]>;
def : Flag<["-"], "v">, Alias<verbose>;
def quiet : Switch<"quiet", "Print errors only; no warnings and notes of gpuexec's">, Flags<[Basic]>;
def : Flag<["-"], "q">, Alias<quiet>;
def check : OptionalValue<"check", "<what>", "Emulator: report what undefined values decide (uninit)">, Flags<[Basic]>;
def : Flag<["--", "-"], "check">, Alias<check>, AliasArgs<["uninit"]>;
def fault_report : Switch<"fault-report", "NVIDIA: report where a fault was: thread, function, line (other devices always do)">;
def stats : Switch<"stats", "Print how busy OpenMP's parallel regions were; and what was executed (emulator)">, Flags<[Basic]>;
defm stats_file : Value<"stats-json", "<file>", "Write the same as JSON">;
defm trace : Value<"trace", "<file>", "Write a trace for Perfetto and chrome://tracing; of phases, kernels, requests and parallel regions">, Flags<[Basic]>;
defm color : Value<"color", "<when>", "Colour the words error and warning: auto (default; at a terminal, unless NO_COLOR is set), always or never">;
defm timings : Value<"timings", "<file>", "Write how long each phase took, as JSON">;
def rpc_stats : Switch<"rpc-stats", "Count and time the program's calls to its host">;
def print_resource_usage : Switch<"print-resource-usage", "Print the registers of every kernel that is launched">;
}

def sandbox_group : OptionGroup<"sandbox">, HelpText<"Confine">;
let Group = sandbox_group in {
def sandbox : Switch<"sandbox", "Confine the program to --dir; no commands, no network, no variables but --env (Landlock, seccomp)">, Flags<[Basic]>;
defm dir : Value<"dir", "<path>[:rw]", "With --sandbox: a directory that stays readable; writable with :rw. Names mean what they mean to you; HOST:/GUEST[:rw] gives it another one. May be given again">, Flags<[Basic]>;
def isolate : Switch<"isolate", "Like --sandbox; status 125 unless machine code gets a process of its own">;
def sandbox_weak : Switch<"sandbox-weak", "Like --sandbox, but only warn where the kernel lacks a layer of it">;
}

def record_group : OptionGroup<"record">, HelpText<"Record and replay">;
let Group = record_group in {
defm record : Value<"record", "<file>", "Write a recording of the run; the program, its arguments and environment, and all that it reads">, Flags<[Basic]>;
defm record_standalone : Value<"record-standalone", "<file>", "Like --record, but the file is an executable that replays itself, or runs live with --live, and needs no gpuexec">;
def record_without_environment : Switch<"record-without-environment", "With --record: the program gets no variables but those of --env">;
def record_schedule : OptionalValue<"record-schedule", "<seed>", "Emulator, with --record: run waves in an order that the seed decides, which a replay repeats to the bit; without a seed one is drawn">;
def record_any_schedule : Flag<["--", "-"], "record-schedule">;
defm replay : Value<"replay", "<file>", "Run a recording with the answers of that time; fail at the first call that differs (also: gpuexec replay FILE)">, Flags<[Basic]>;
defm until_call : Value<"until-call", "<n>", "With --replay: end before the answer to call N, counted from 1, and say where the program is">;
defm replay_schedule : Value<"replay-schedule", "<which>", "With --replay: recorded (default) repeats a recorded schedule, off ignores it">;
defm replay_live : Value<"replay-live", "<file>", "Run a recording's program with the arguments that follow, and files and input as they are now">;
defm compare : Value<"compare", "<file>", "Show the first difference between two recordings; status 0: none, 1: there is one (also: gpuexec compare A B)">;
}

def emulator_group : OptionGroup<"emulator">, HelpText<"Emulated devices">;
let Group = emulator_group in {
defm emulator_threads : Value<"emulator-threads", "<n>", "Threads of the host to use">;
defm jit_cache : Value<"jit-cache", "<folder>", "Keep compiled code there for the next run, instead of ~/.cache/gpuexec/jit; off: nowhere. GPUEXEC_JIT_CACHE sets the default">;
}

def server_group : OptionGroup<"server">, HelpText<"Borrow a device (gpuexec serve)">;
let Group = server_group in {
defm server : Value<"server", "<server>", "Borrow a device from this server, or fail: a socket, tcp://HOST:PORT or vsock://CID:PORT; off: from none. GPUEXEC_SERVER sets the default; without either: from this user's server, if there is one">;
defm server_key : Value<"server-key", "<file>", "The key of a server on another machine: 64 hexadecimal digits that only you can read. Default: $GPUEXEC_SERVER_KEY, or gpuexec/key in ~/.config">;
defm server_certificate : Value<"server-certificate", "<file>", "Instead of a key: the certificate (PEM) to show to a server on another machine, with --server-authority">;
defm server_certificate_key : Value<"server-certificate-key", "<file>", "The certificate's private key (PEM), which only you can read. Default: it is in the certificate's file">;
defm server_authority : Value<"server-authority", "<file>", "Who must have signed the certificate of a server on another machine (PEM); the certificate must name the server's host">;
}

def other_group : OptionGroup<"other">, HelpText<"Other">;
let Group = other_group in {
def help : Switch<"help", "Print all options and exit; -h: those that matter most">, Flags<[Basic]>;
def brief_help : Flag<["-"], "h">;
def register : OptionalValue<"register", "<how>", "Let Linux start GPU programs by name, ./a.out, until the next boot (binfmt_misc; root). print: print the lines for /etc/binfmt.d instead">;
def register_now : Flag<["--", "-"], "register">;
def unregister : Switch<"unregister", "Undo --register">;
def version : Switch<"version", "Print version, commit and targets, and exit">, Flags<[Basic]>;
def : Flag<["-"], "V">, Alias<version>;
// From a gpuexec that repeats a run: the descriptors that it has opened.
def handles : Joined<["--", "-"], "handles=">, Flags<[HelpHidden]>;
// For shell completion: lists the options or commands that begin with the value.
def complete : Joined<["--", "-"], "complete=">, Flags<[HelpHidden]>;
}
