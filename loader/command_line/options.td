// gpuexec's options. Names follow llvm-gpu-loader's; every one takes one or two
// dashes, and its value as `--name=VALUE` or `--name VALUE`. The help text, the
// parser and shell completion all come from this table.
include "llvm/Option/OptParser.td"

class Switch<string name, string help>
    : Flag<["--", "-"], name>, HelpText<help>;

// `--name=VALUE`, with `--name VALUE` as its alias.
multiclass Value<string name, string metavar, string help> {
  def NAME : Joined<["--", "-"], name # "=">, MetaVarName<metavar>,
             HelpText<help>;
  def NAME # _separate : Separate<["--", "-"], name>,
                         Alias<!cast<Option>(NAME)>;
}

def launch_group : OptionGroup<"launch">, HelpText<"Launch">;
let Group = launch_group in {
defm threads_x : Value<"threads-x", "<n>", "The same as --threads">;
defm threads : Value<"threads", "<n>", "Threads of a block in x (default 1). In programs "
                     "for which a thread is a block (gpucc --help), as "
                     "many times the blocks. Programs that create threads "
                     "get what the device holds">;
defm threads_y : Value<"threads-y", "<n>", "Threads of a block in y">;
defm threads_z : Value<"threads-z", "<n>", "Threads of a block in z">;
defm blocks_x : Value<"blocks-x", "<n>", "The same as --blocks">;
defm blocks : Value<"blocks", "<n>", "Blocks in x (default 1)">;
defm blocks_y : Value<"blocks-y", "<n>", "Blocks in y">;
defm blocks_z : Value<"blocks-z", "<n>", "Blocks in z">;
defm kernel : Value<"kernel", "<name>", "Launch this kernel without arguments instead of _start; may be given again">;
defm constructors : Value<"constructors", "<who>", "Who runs constructors: auto (default), begin (_begin, LLVM 22 and before) or runtime (LLVM 23)">;
}

def device_group : OptionGroup<"device">, HelpText<"Device">;
let Group = device_group in {
defm device : Value<"device", "<device>", "auto (default), cuda[:N], hsa[:N] or emulator[:N]; GPUEXEC_DEVICE sets the default">;
def list_devices : Switch<"list-devices", "List the devices of this machine and exit">;
defm server : Value<"server", "<server>", "Borrow a device from the server that listens at this socket or address (gpuexec serve): a path, tcp://HOST:PORT or vsock://CID:PORT; fail where there is none; off: from none. GPUEXEC_SERVER sets the default; without either: from this user's server, if there is one">;
defm server_key : Value<"server-key", "<file>", "The key of a server on another machine: 64 hexadecimal digits that only you can read. Default: $GPUEXEC_SERVER_KEY, or gpuexec/key in ~/.config">;
defm server_certificate : Value<"server-certificate", "<file>", "Instead of a key: the certificate that this side shows to a server on another machine (PEM), with --server-authority">;
defm server_certificate_key : Value<"server-certificate-key", "<file>", "The certificate's private key (PEM), which only you can read. Default: it is in the certificate's file">;
defm server_authority : Value<"server-authority", "<file>", "Who must have signed the certificate of a server on another machine (PEM); the certificate must name the server's host">;
defm stack_size : Value<"stack-size", "<bytes>", "Stack of a thread where the compiler could not tell; K, M, G and T multiply">;
defm heap_size : Value<"heap-size", "<bytes>", "Most memory that the program can allocate; K, M, G and T multiply">;
def no_parallelism : Switch<"no-parallelism", "Wait until no other gpuexec with this option runs">;
}

def end_group : OptionGroup<"end">, HelpText<"End">;
let Group = end_group in {
defm timeout : Value<"timeout", "<seconds>", "End with status 124 after so long, and say where the program is">;
defm repeat : Value<"repeat", "<n>", "Run the program so often; end with the first status that is not 0">;
def until_fail : Switch<"until-fail", "Run the program until it ends with a status that is not 0">;
defm junit : Value<"junit", "<file>", "Write the results of all runs as JUnit XML">;
}

def look_group : OptionGroup<"look">, HelpText<"Look">;
let Group = look_group in {
def print_resource_usage : Switch<"print-resource-usage", "Print the registers of every kernel that is launched">;
def verbose : Switch<"verbose", "Say on standard error what is done and how long it took">;
def : Flag<["-"], "v">, Alias<verbose>;
def fault_report : Switch<"fault-report", "NVIDIA: tell where a fault was: thread, function, line (others always do)">;
defm timings : Value<"timings", "<file>", "Write how long each phase took, as JSON">;
defm trace : Value<"trace", "<file>", "Write a trace of phases, kernels, requests and parallel regions for chrome://tracing and Perfetto">;
def rpc_stats : Switch<"rpc-stats", "Count and time what the program asked of its host">;
def check : Joined<["--", "-"], "check=">, MetaVarName<"<what>">,
            HelpText<"Emulator: uninit reports what undefined values decide">;
def : Flag<["--", "-"], "check">, Alias<check>, AliasArgs<["uninit"]>;
def stats : Switch<"stats", "Print how busy OpenMP's parallel regions were, and what was executed (emulator)">;
defm stats_file : Value<"stats-json", "<file>", "Write the same as JSON">;
defm jit_cache : Value<"jit-cache", "<folder>", "Emulator: keep compiled code there instead of ~/.cache/gpuexec/jit, for the next run; off: nowhere. GPUEXEC_JIT_CACHE sets the default">;
defm emulator_threads : Value<"emulator-threads", "<n>", "Emulator: threads of the host to use">;
}

def host_group : OptionGroup<"host">, HelpText<"Host">;
let Group = host_group in {
def sandbox : Switch<"sandbox", "No files but below --dir, no commands: the kernel sees to it">;
def sandbox_weak : Switch<"sandbox-weak", "The same, with a warning where a layer of it is missing, instead of status 125">;
def isolate : Switch<"isolate", "--sandbox, or 125 on a device whose machine code cannot run in a process of its own">;
defm dir : Value<"dir", "<path>[:rw]", "A directory that --sandbox leaves readable, or writable with :rw; may be given again">;
defm env : Value<"env", "<name>[=<value>]", "A variable of the program's environment, ours without a value; --sandbox passes no others; may be given again">;
defm service : Value<"service", "<library>", "Serve further opcodes from a shared library; may be given again">;
}

def record_group : OptionGroup<"record">, HelpText<"Record">;
let Group = record_group in {
defm record : Value<"record", "<file>", "Write a recording of the run: program, arguments, environment and all that it reads">;
defm record_standalone : Value<"record-standalone", "<file>", "As --record, but the file is an executable that replays itself, or runs live with --live: it needs a device's driver alone">;
def record_without_environment : Switch<"record-without-environment", "With --record: the program gets no variables but those of --env">;
def record_schedule : Joined<["--", "-"], "record-schedule=">, MetaVarName<"<seed>">,
                      HelpText<"Emulator: with --record: waves run in an order that the seed decides, and a replay repeats it to the bit; without a seed one is drawn">;
def record_any_schedule : Flag<["--", "-"], "record-schedule">;
defm replay : Value<"replay", "<file>", "Instead of an image: run what was recorded, with the answers that it got then; fail at the first call that differs">;
defm until_call : Value<"until-call", "<n>", "With --replay: end before this call, counted from 1 on, is answered, and say where the program is">;
defm replay_schedule : Value<"replay-schedule", "<which>", "With --replay: off ignores the schedule that was recorded; recorded (default) repeats it, if there is one">;
defm replay_live : Value<"replay-live", "<file>", "Instead of an image: run the recorded program with these arguments, and files and input as they are now">;
defm compare : Value<"compare", "<file>", "Instead of an image: say where this recording and another one part (gpuexec --compare A B); status 0: nowhere, 1: somewhere">;
}

def other_group : OptionGroup<"other">, HelpText<"Other">;
let Group = other_group in {
def help : Switch<"help", "Print this text and exit">;
def : Flag<["-"], "h">, Alias<help>;
def version : Switch<"version", "Print the version and exit">;
// For shell completion: lists the options that begin with the value.
def complete : Joined<["--", "-"], "complete=">, Flags<[HelpHidden]>;
}
