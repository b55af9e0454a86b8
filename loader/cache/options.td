// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of `gpuexec cache`; they look like gpuexec's own.
include "loader/command_line/option_kinds.td"

def cache_group : OptionGroup<"cache">, HelpText<"Options">;
let Group = cache_group in {
def clear : Switch<"clear", "Remove the files that are kept; programs and links are slower once">;
def help : Switch<"help", "Print this text and exit">;
def : Flag<["-"], "h">, Alias<help>;
}
