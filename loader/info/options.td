// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuexec-info's options: as gpuexec's, one or two dashes, values as `--name=VALUE` or `--name VALUE`.
include "loader/command_line/option_kinds.td"

def print_group : OptionGroup<"print">, HelpText<"Print">;
let Group = print_group in {
def json : Switch<"json", "JSON: everything that is known">;
def csv : Switch<"csv", "CSV: a line for each kernel and device function">;
def functions : Switch<"functions", "List device functions too">;
def symbols : Switch<"symbols", "List variables, constructors and destructors">;
def opcodes : Switch<"opcodes", "List the instructions that are used, with how often they stand in the code">;
def quiet : Switch<"quiet", "Print nothing but what fails">;
}

def assume_group : OptionGroup<"assume">, HelpText<"Assume">;
let Group = assume_group in {
defm block_size : Value<"block-size", "<threads>", "Block size for the occupancy (default: what the kernel requires, else 256)">;
defm dynamic_shared : Value<"dynamic-shared", "<bytes>", "Shared memory that the launch adds, for the occupancy">;
defm device : Value<"device", "<device>", "Say how many waves of a program this device holds at once: auto, cuda[:N], hsa[:N] or emulator[:N]">;
def exact : Switch<"exact", "PTX: ask the CUDA driver for the numbers, or ptxas where there is no GPU">;
defm arch : Value<"arch", "<sm_NN>", "The architecture for which ptxas compiles under --exact (default: the PTX's own)">;
}

def check_group : OptionGroup<"check">, HelpText<"Check (exit status 1 when a kernel fails)">;
let Group = check_group in {
defm max_registers : Value<"max-registers", "<list>", "Most registers of a lane: a number, or KERNEL=NUMBER,... with * and ? in the names; the first that matches holds">;
defm max_sgprs : Value<"max-sgprs", "<list>", "Most scalar registers of a wave">;
defm max_spills : Value<"max-spills", "<list>", "Most spilled registers">;
defm max_stack : Value<"max-stack", "<list>", "Most bytes of stack">;
defm max_shared : Value<"max-shared", "<list>", "Most bytes of shared memory">;
defm max_code : Value<"max-code", "<list>", "Most bytes of code">;
defm against : Value<"against", "<file>", "Compare with the JSON of an earlier run, or with an earlier image, and fail on what grew">;
defm threshold : Value<"threshold", "<amount>", "How much may be more than before: 8 or 5% (default 0)">;
}

def other_group : OptionGroup<"other">, HelpText<"Other">;
let Group = other_group in {
def help : Switch<"help", "Print this text and exit">;
def : Flag<["-"], "h">, Alias<help>;
def version : Switch<"version", "Print the version and exit">;
}
