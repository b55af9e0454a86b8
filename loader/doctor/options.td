// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of `gpuexec doctor`; they look like gpuexec's own.
include "loader/command_line/option_kinds.td"

def doctor_group : OptionGroup<"doctor">, HelpText<"Options">;
let Group = doctor_group in {
def json : Switch<"json", "Print JSON">;
def help : Switch<"help", "Print this text and exit">;
def : Flag<["-"], "h">, Alias<help>;
}
