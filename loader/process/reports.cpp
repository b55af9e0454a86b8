//===-- loader/process/reports.cpp - What is printed beside the output ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/command_line/messages.h"
#include "loader/process/run.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuexec {

llvm::Error Reports::open(const RunOptions &options) {
  llvm::Expected<CallFiles> opened = CallFiles::open(options);
  if (!opened)
    return opened.takeError();
  files = std::move(*opened);
  if (!files.trace)
    return llvm::Error::success();
  llvm::Expected<UniqueFd> stream = files.trace.stream(/*empties=*/true);
  if (!stream)
    return stream.takeError();
  trace = rpc::Trace::begin(std::move(*stream), options.trace);
  trace->name_track(0, "loader");
  return llvm::Error::success();
}

std::vector<std::string> Reports::late_names() const {
  std::vector<std::string> names;
  for (const ReportFile *report : {&files.timings, &files.stats_json})
    if (std::string name = report->late_name(); !name.empty())
      names.push_back(name);
  return names;
}

static std::string timings_json(const std::vector<Phases::Phase> &phases) {
  std::string text = "{\"unit\": \"ms\", \"phases\": [";
  for (const Phases::Phase &phase : phases) {
    text += &phase == phases.data() ? "\n  " : ",\n  ";
    text += llvm::formatv("{{\"name\": \"{0}\", \"time\": {1:f4}}", phase.name,
                          phase.milliseconds())
                .str();
  }
  return text + "\n]}\n";
}

void Run::print_reports(bool with_call_table) {
  if (!execution)
    return;
  if (options.job.server.stats && with_call_table)
    say_error(execution->call_table());
  execution->complete_trace();
  if (options.stats)
    say_error(execution->statistics(/*json=*/false).value_or(""));
  if (options.stats_json.empty())
    return;
  std::optional<std::string> json = execution->statistics(/*json=*/true);
  if (json && !reports->files.stats_json.write(command, *json))
    reported = false;
}

void Run::print_timings() {
  auto say = [&](llvm::StringRef name, double milliseconds) {
    if (options.verbose)
      say_error(llvm::formatv("{0}: {1,-10} {2,10:f3} ms\n", command, name,
                              milliseconds)
                    .str());
  };
  std::vector<Phases::Phase> all = phases->all();
  double sum = 0;
  for (const Phases::Phase &phase : all) {
    sum += phase.milliseconds();
    say(phase.name, phase.milliseconds());
  }
  say("in all", sum);
  if (!options.timings.empty() &&
      !reports->files.timings.write(command, timings_json(all)))
    reported = false;
  if (!reports->trace)
    return;
  if (llvm::Error error = reports->trace->close()) {
    own_failure(command, std::move(error));
    reported = false;
  } else if (!reports->files.trace.check_name(command)) {
    reported = false;
  }
}

} // namespace gpuexec
