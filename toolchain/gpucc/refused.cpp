//===-- toolchain/gpucc/refused.cpp - See refused.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/refused.h"
#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>

namespace gpuexec {
namespace {

struct Refused {
  std::string_view option, why;
};

constexpr Refused OPTIONS[] = {
#define REFUSED(OPTION, WHY) {OPTION, WHY},
#include "toolchain/gpucc/refused.def"
};

bool matches(std::string_view argument, std::string_view option) {
  if (option.ends_with('*'))
    return argument.starts_with(option.substr(0, option.size() - 1));
  return option.ends_with('=') ? argument.starts_with(option)
                               : argument == option;
}

/// Is the next argument the option's value? Knows only options whose value may
/// look like an option of the table.
bool takes_value(std::string_view option) {
  return option.starts_with("-X") || option == "-o" || option == "-mllvm" ||
         option == "-D" || option == "-U" || option == "-I" || option == "-L";
}

/// "-fno-profile-arcs" for "-fprofile-arcs"; nothing for options without a
/// negative form.
std::string negative_of(std::string_view option) {
  if (!option.starts_with("-f"))
    return "";
  return "-fno-" + std::string(option.substr(2, option.find('=') - 2));
}

/// Is `option` among the arguments from number `from` on?
bool names(const std::vector<std::string> &arguments, size_t from,
           const std::string &option) {
  return std::find(arguments.begin() + std::ptrdiff_t(from), arguments.end(),
                   option) != arguments.end();
}

//===-- -fsanitize= -------------------------------------------------------===//

/// -fsanitize=undefined and the checks that it turns on. They can trap, which
/// needs no library.
constexpr std::string_view UNDEFINED[] = {"undefined",
                                          "alignment",
                                          "bool",
                                          "builtin",
                                          "array-bounds",
                                          "bounds",
                                          "enum",
                                          "float-cast-overflow",
                                          "function",
                                          "integer-divide-by-zero",
                                          "nonnull-attribute",
                                          "null",
                                          "object-size",
                                          "pointer-overflow",
                                          "return",
                                          "returns-nonnull-attribute",
                                          "shift",
                                          "shift-base",
                                          "shift-exponent",
                                          "signed-integer-overflow",
                                          "unreachable",
                                          "vla-bound"};
/// Other checks that can trap.
constexpr std::string_view OTHER_TRAPS[] = {
    "float-divide-by-zero",
    "implicit-conversion",
    "implicit-bitfield-conversion",
    "implicit-integer-arithmetic-value-change",
    "implicit-integer-conversion",
    "implicit-integer-sign-change",
    "implicit-integer-truncation",
    "implicit-signed-integer-truncation",
    "implicit-unsigned-integer-truncation",
    "integer",
    "nullability",
    "nullability-arg",
    "nullability-assign",
    "nullability-return",
    "unsigned-integer-overflow",
    "unsigned-shift-base"};

template <typename T> bool holds(const T &list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

using Names = std::set<std::string, std::less<>>;

/// Adds the names of `list`, which commas separate, to `names`, or removes
/// them.
void change(Names &names, std::string_view list, bool add) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    const std::string name(list.substr(0, comma));
    if (add)
      names.insert(name);
    else if (name == "all")
      names.clear();
    else
      names.erase(name);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

/// The checks of -fsanitize= and those of them that trap (-fsanitize-trap=).
struct Sanitizers {
  Names checked, trapped;

  /// Updates both from an argument; ignores other options.
  void take(std::string_view argument) {
    constexpr std::string_view CHECK = "-fsanitize=",
                               NO_CHECK = "-fno-sanitize=",
                               TRAP = "-fsanitize-trap=",
                               NO_TRAP = "-fno-sanitize-trap=";
    if (argument.starts_with(CHECK))
      change(checked, argument.substr(CHECK.size()), true);
    else if (argument.starts_with(NO_CHECK))
      change(checked, argument.substr(NO_CHECK.size()), false);
    else if (argument.starts_with(TRAP))
      change(trapped, argument.substr(TRAP.size()), true);
    else if (argument.starts_with(NO_TRAP))
      change(trapped, argument.substr(NO_TRAP.size()), false);
    else if (argument == "-fsanitize-trap" ||
             argument == "-fsanitize-undefined-trap-on-error")
      trapped.insert("all");
    else if (argument == "-fno-sanitize-trap")
      trapped.clear();
  }

  bool ends_program(std::string_view name) const {
    return trapped.contains("all") || trapped.contains(name) ||
           (holds(UNDEFINED, name) && trapped.contains("undefined"));
  }

  std::string problem() const {
    for (const std::string &name : checked) {
      // local-bounds always traps.
      if (name == "local-bounds" || name == "none")
        continue;
      if (!holds(UNDEFINED, name) && !holds(OTHER_TRAPS, name))
        return "-fsanitize=" + name +
               ": not for GPUs: what works is -fsanitize=undefined with "
               "-fsanitize-trap=all, and the checks of gpuexec --check";
      if (!ends_program(name))
        return "-fsanitize=" + name +
               ": there is no library for GPUs that prints what it finds; with "
               "-fsanitize-trap=all each check ends the program where it "
               "fails, and gpuexec names the check and, with -g, the line";
    }
    return "";
  }
};

} // namespace

std::string refused_option(const std::vector<std::string> &arguments) {
  Sanitizers sanitizers;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (takes_value(argument)) {
      ++i;
      continue;
    }
    sanitizers.take(argument);
    for (const Refused &refused : OPTIONS)
      if (matches(argument, refused.option) &&
          !names(arguments, i + 1, negative_of(argument)))
        return argument + ": " + std::string(refused.why);
  }
  return sanitizers.problem();
}

} // namespace gpuexec
