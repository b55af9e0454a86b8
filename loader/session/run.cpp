//===-- loader/session/run.cpp - What happens beside the supervision ------===//
#include "loader/session/run.h"
#include "support/printable.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <unistd.h>

namespace gpuexec {

llvm::Error Run::open_reports() {
  std::pair<const std::string &, ReportFile &> reports[] = {
      {options.timings, timings}, {options.stats_json, stats_json}};
  for (auto &[path, file] : reports) {
    if (path.empty())
      continue;
    llvm::Expected<ReportFile> opened = ReportFile::open(path);
    if (!opened)
      return opened.takeError();
    file = std::move(*opened);
  }
  return llvm::Error::success();
}

llvm::Error Run::read_image() {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> read =
      Image::read_file(options.image);
  if (!read)
    return read.takeError();
  file = std::move(*read);
  llvm::Expected<std::vector<Image>> parsed =
      Image::parse_all(file->getMemBufferRef());
  if (!parsed)
    return parsed.takeError();
  images = std::move(*parsed);
  phases.done("parse");
  return llvm::Error::success();
}

llvm::Error Run::set_device_options() {
  struct {
    bool wanted;
    const char *option, *name;
    llvm::StringRef value;
  } settings[] = {
      {!options.check.empty(), "check", "check", options.check},
      {options.stats, "stats", "stats", "on"},
      {!options.stats_json.empty(), "stats-json", "stats", "on"},
      {options.sandbox && device->info().emulated, "sandbox", "lines",
       "prepared"},
      {!options.emulator_threads.empty(), "emulator-threads", "threads",
       options.emulator_threads},
  };
  for (auto &setting : settings)
    if (setting.wanted)
      if (llvm::Error error = device->set_option(setting.name, setting.value))
        return failure(status::Failed, "--{0}: {1}", setting.option,
                       llvm::toString(std::move(error)));
  return llvm::Error::success();
}

llvm::Error Run::open_device_for(const Image *&image) {
  llvm::Expected<OpenedDevice> opened = gpuexec::open_device(
      options.device, {options.fault_report, options.sandbox}, images);
  if (!opened)
    return opened.takeError();
  device = std::move(opened->device);
  image = opened->image;
  if (options.isolate && !device->info().emulated)
    return failure(status::Failed,
                   "--isolate: only the emulated device can do that");
  open_device = device.get();
  if (llvm::Error error = set_device_options())
    return error;
  phases.done("device");
  const DeviceInfo &info = device->info();
  say(llvm::formatv("{0}: {1} for {2}, on {3}: {4}, {5}", image->name(),
                    image->format_name(), image->target_id(), info.spec(),
                    info.name, info.target_id));
  return llvm::Error::success();
}

/// As LLVM's loader prints it, before the kernel is launched. That one knows
/// nothing about AMD's, and under its name we say so too.
void Run::print_resources(const Kernel &kernel) {
  if (personality.llvm && images.front().format() == Image::Format::amdgpu) {
    llvm::errs() << "Kernel resources on AMDGPU is not supported yet.\n";
    return;
  }
  Resources known = program->module().resources(kernel);
  llvm::outs() << "Executing kernel " << kernel.name << ":\n"
               << llvm::formatv("{0,6} registers: ", kernel.name);
  if (known.vgprs)
    llvm::outs() << *known.vgprs << "\n";
  else
    llvm::outs() << "unknown\n";
  llvm::outs().flush();
}

llvm::Expected<int32_t> Run::work() {
  if (options.sandbox)
    if (llvm::Error error = check_sandbox())
      return std::move(error);
  if (llvm::Error error = read_image())
    return std::move(error);
  const Image *image = nullptr;
  if (llvm::Error error = open_device_for(image))
    return std::move(error);
  if (options.sandbox)
    if (llvm::Error error = check_addresses())
      return std::move(error);

  ProgramOptions wanted;
  wanted.argv.push_back(options.image);
  wanted.argv.insert(wanted.argv.end(), options.arguments.begin(),
                     options.arguments.end());
  wanted.envp = program_environment(options, environ);
  wanted.grid = options.grid;
  wanted.settings = options.settings;
  wanted.constructors = options.constructors;
  wanted.kernels = options.kernels;
  if (options.print_resource_usage)
    wanted.before_launch = [this](const Kernel &kernel) {
      print_resources(kernel);
    };
  wanted.server.program_name = options.image;
  wanted.server.sandbox = options.sandbox;
  wanted.server.directories = options.directories;
  wanted.server.services = options.services;
  wanted.server.stats = options.rpc_stats;
  wanted.server.trace = trace.get();
  llvm::Expected<std::unique_ptr<Program>> loaded =
      Program::load(*device, *image, std::move(wanted), phases);
  if (!loaded)
    return loaded.takeError();
  program = std::move(*loaded);
  if (rpc::Server *server = program->server())
    server->set_notifier(on_outcome);
  ready_program = program.get();
  if (options.sandbox)
    if (llvm::Error error = confine())
      return std::move(error);
  return program->run();
}

void Run::tear_down() {
  ready_program = nullptr;
  open_device = nullptr;
  program.reset();
  device.reset();
  phases.done("teardown");
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

void print_reports(Run &run, bool server_idle) {
  const Options &options = run.options;
  if (Program *program = run.ready_program)
    if (rpc::Server *server = program->server();
        server && options.rpc_stats && server_idle)
      llvm::errs() << server->stats_table();
  if (Device *device = run.open_device) {
    if (options.stats)
      llvm::errs() << device->statistics(/*json=*/false);
    if (!options.stats_json.empty())
      if (!run.stats_json.write(run.command, device->statistics(/*json=*/true)))
        run.reported = false;
  }
}

void print_timings(Run &run) {
  std::vector<Phases::Phase> phases = run.phases.all();
  double sum = 0;
  for (const Phases::Phase &phase : phases) {
    sum += phase.milliseconds();
    run.say(llvm::formatv("{0,-10} {1,10:f3} ms", phase.name,
                          phase.milliseconds()));
  }
  run.say(llvm::formatv("{0,-10} {1,10:f3} ms", "in all", sum));
  if (!run.options.timings.empty())
    if (!run.timings.write(run.command, timings_json(phases)))
      run.reported = false;
  if (run.trace)
    if (llvm::Error error = run.trace->close()) {
      report(run.command, std::move(error));
      run.reported = false;
    }
}

void print_where(Run &run) {
  Device *device = run.open_device;
  Program *program = run.ready_program;
  if (!program) {
    llvm::errs() << "  no kernel was running: "
                 << (device ? "loading the image" : "opening the device")
                 << "\n";
    return;
  }
  std::string where = device->where();
  if (!where.empty()) {
    llvm::errs() << where;
    return;
  }
  // A GPU does not say where its waves are: only what they wait for.
  std::string kernel = program->running_kernel();
  if (kernel.empty())
    llvm::errs() << "  no kernel was running\n";
  else
    llvm::errs() << "  kernel '" << printable(kernel) << "' was running\n";
  if (rpc::Server *server = program->server())
    llvm::errs() << server->open_ports();
}

void write_last_words(Run &run) {
  Program *program = run.ready_program;
  if (!program)
    return;
  rpc::Server *server = program->server();
  if (!server)
    return;
  server->abandon();
  std::string text = server->unwritten_output();
  for (size_t done = 0; done < text.size();) {
    ssize_t put =
        ::write(STDOUT_FILENO, text.data() + done, text.size() - done);
    if (put < 0 && errno != EINTR)
      return; // nobody reads it
    done += size_t(std::max<ssize_t>(put, 0));
  }
}

} // namespace gpuexec
