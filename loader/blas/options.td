// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of `gpuexec blas`; they look like gpuexec's own.
include "loader/command_line/option_kinds.td"

def run_group : OptionGroup<"run">, HelpText<"Run">;
let Group = run_group in {
defm device : Value<"device", "<device>", "cuda[:N] (default), or off: all calls stay on the CPU">;
defm min_size : Value<"min-size", "<n>", "Do calls as large as a product of n x n matrices on the GPU, whatever they are expected to take, and no others">;
def deterministic : Switch<"deterministic", "What goes to the GPU depends on sizes alone (--min-size, default 1024), not on times: results repeat bit by bit">;
}

def look_group : OptionGroup<"look">, HelpText<"Look">;
let Group = look_group in {
def blas_stats : OptionalValue<"blas-stats", "<file>", "At the end, write what was done where and how long it took, as JSON; %p in the name is the process's number. Without a name: print it to standard error">;
def : Flag<["--", "-"], "blas-stats">, Alias<blas_stats>, AliasArgs<["-"]>;
def verbose : Switch<"verbose", "Say of each call that is large enough where it is done, and why">;
def help : Switch<"help", "Print this text and exit">;
def : Flag<["-"], "h">, Alias<help>;
def : Flag<["-"], "v">, Alias<verbose>;
}
