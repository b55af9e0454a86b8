// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of options that all of gpuexec's tables are made of: one or two
// dashes, a value as `--name=VALUE` or `--name VALUE`. Help texts begin with a
// sentence, up to the first ";" or ". ", that -h can print alone on its line.
include "llvm/Option/OptParser.td"

// Options of this flag are those that -h lists (option_table.h).
def Basic : OptionFlag;

class Switch<string name, string help>
    : Flag<["--", "-"], name>, HelpText<help>;

// `--name=VALUE`, with `--name VALUE` as its alias.
multiclass Value<string name, string metavar, string help> {
  def NAME : Joined<["--", "-"], name # "=">, MetaVarName<metavar>,
             HelpText<help>;
  def NAME # _separate : Separate<["--", "-"], name>,
                         Alias<!cast<Option>(NAME)>;
}

// `--name=VALUE`; the table adds what `--name` alone means.
class OptionalValue<string name, string metavar, string help>
    : Joined<["--", "-"], name # "=">, MetaVarName<metavar>, HelpText<help>;
