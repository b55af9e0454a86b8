//===-- loader/apps/serve/serve.cpp - gpuexec serve -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of the server (lending/server/).
//===----------------------------------------------------------------------===//
#include "lending/server/serve.h"
#include "lending/transport/address.h"
#include "lending/transport/socket.h"
#include "loader/apps/apps.h"
#include "loader/apps/serve/options.h"
#include "loader/command_line/option_values.h"

namespace gpuexec {
namespace {

using Options = serve::Settings;
using Action = Options::Action;
using serve::MOST_TOGETHER;

constexpr unsigned MOST_WORKERS = 1024;

llvm::Error add_device(const Given &given, std::vector<std::string> &to) {
  to.push_back(given.value);
  return DeviceRequest::parse(given.value).takeError();
}

llvm::Error add_address(const Given &given, std::vector<std::string> &to) {
  to.push_back(given.value);
  return lending::Address::parse(given.value).takeError();
}

llvm::Error read_limit(const Given &given, uint64_t &bytes) {
  bytes = parse_size(given.value).value_or(0);
  return bytes ? llvm::Error::success() : given.is_not(SIZE_IS);
}

constexpr OptionRow ROWS[] = {
#include "loader/apps/serve/options.def"
};

} // namespace

llvm::Expected<serve::Settings>
serve::parse_settings(llvm::ArrayRef<const char *> words) {
  Options options;
  llvm::Expected<size_t> read =
      OptionTable{ROWS, "gpuexec serve", "serve: "}.read(words, options);
  if (!read)
    return read.takeError();
  if (*read < words.size() && !options.help)
    return failure(Reason::failed,
                   "serve: '{0}': it takes options only (an image of the "
                   "name 'serve' is ./serve)",
                   words[*read]);
  if (options.now && options.action != Action::stop && !options.help)
    return failure(Reason::failed, "serve: --now goes with --stop");
  if (options.socket.empty())
    options.socket = lending::default_socket();
  return options;
}

static ExitResult start(const Call &call) {
  llvm::Expected<Options> options = serve::parse_settings(call.arguments());
  if (!options)
    return call.end(options.takeError());
  if (!options->help)
    return call.end(serve::run(*options));
  print_help(llvm::outs(), *call.command);
  return call.end(llvm::Error::success());
}

const App apps::serve = {
    ROWS, start, "       gpuexec serve --status | --stop [--now]\n",
    "The server goes to the background when its devices work. gpuexec uses "
    "this user's\nserver by itself where there is one; --server=off does "
    "not.\n"};

} // namespace gpuexec
