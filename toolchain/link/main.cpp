//===-- toolchain/link/main.cpp - gpucc-ld, the linker for AMD GPUs -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang runs gpucc-ld in place of ld.lld, with the same arguments. A link has
// three steps: ld.lld links the bitcode and optimises the program as a whole;
// gpucc-ld compiles it to machine code in pieces, by several threads, or takes
// pieces from the user's cache; ld.lld links the objects. Links that are not of
// one program from bitcode are passed on to ld.lld.
//
// Environment variables, which gpucc sets for options that clang does not have:
// GPUEXEC_LLD, the path of ld.lld; GPUEXEC_LINK_CACHE, a folder or "off";
// GPUEXEC_LINK_JOBS, a number of threads; GPUEXEC_BLOCK_THREADS, the most
// threads of a block.
//===----------------------------------------------------------------------===//
#include "gpu/one_thread.h"
#include "gpu/refusals.h"
#include "support/cache_kinds.h"
#include "support/find_program.h"
#include "toolchain/link/command_line.h"
#include "toolchain/link/own_functions.h"
#include "toolchain/link/program.h"
#include "toolchain/link/progress.h"
#include "toolchain/link/split.h"
#include "toolchain/link/undefined.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Pass.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/WithColor.h"
#include <unistd.h>

using namespace llvm;

namespace gpuexec {

namespace {

int fail(const Twine &message) {
  WithColor::error(errs(), "gpucc-ld") << message << '\n';
  return 1;
}

std::string variable(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

/// The number in an environment variable; 0 without the variable.
Expected<unsigned> number(const char *name) {
  const std::string text = variable(name);
  unsigned value = 0;
  if (!text.empty() && (StringRef(text).getAsInteger(10, value) || !value))
    return createStringError(std::string(name) + ": '" + text +
                             "' is not a positive number");
  return value;
}

/// The path of ld.lld; empty when there is none.
std::string find_lld() {
  if (std::string named = variable("GPUEXEC_LLD"); !named.empty())
    return named;
  for (StringRef name : {"ld.lld-22", "ld.lld"})
    if (ErrorOr<std::string> found = find_our_program(name))
      return *found;
  return "";
}

/// A temporary file, removed with this object or when a signal ends the
/// process.
class TemporaryFile {
public:
  static Expected<TemporaryFile> create(StringRef kind) {
    SmallString<128> path;
    if (std::error_code error =
            sys::fs::createTemporaryFile("gpucc", kind, path))
      return createFileError("temporary file", error);
    return TemporaryFile(path);
  }

  StringRef path() const { return remover.path; }

private:
  struct Remover {
    std::string path;
    explicit Remover(StringRef path) : path(path) {
      sys::RemoveFileOnSignal(path);
    }
    Remover(Remover &&from) : path(std::exchange(from.path, "")) {}
    ~Remover() {
      if (path.empty())
        return;
      sys::fs::remove(path);
      sys::DontRemoveFileOnSignal(path);
    }
  };
  explicit TemporaryFile(StringRef path) : remover(path) {}
  Remover remover;
};

/// Runs ld.lld and waits for it. Returns gpucc-ld's exit status. `errors`: the
/// file to which its standard error goes, or nothing.
int run_lld(const std::string &lld, const std::vector<std::string> &arguments,
            std::optional<StringRef> errors = std::nullopt) {
  std::vector<StringRef> all = {lld};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::string message;
  std::vector<std::optional<StringRef>> streams;
  if (errors)
    streams = {std::nullopt, std::nullopt, errors};
  const int status =
      sys::ExecuteAndWait(lld, all, std::nullopt, streams, 0, 0, &message);
  if (status < 0)
    fail(lld + ": " + message);
  return status < 0 ? 1 : status;
}

/// Replaces this process by ld.lld. Returns, with an exit status, only when
/// that fails.
int become_lld(const std::string &lld, int argc, char **argv) {
  std::vector<char *> arguments(argv, argv + argc);
  std::string name = lld;
  arguments[0] = name.data();
  arguments.push_back(nullptr);
  execv(name.c_str(), arguments.data());
  return fail(lld + ": " + strerror(errno));
}

/// Changes the settings for a program whose blocks have one thread each.
void set_one_thread(LinkCommand &command) {
  command.settings.one_thread = true;
  // The intrinsics by which the pass unify_callees marks values as uniform must
  // not be combined away.
  command.llvm_options.push_back(
      "-amdgpu-enable-uniform-intrinsic-combine=false");
}

/// Takes out of the program what passes refuse in it.
std::vector<std::string> take_refusals(Module &module) {
  NamedMDNode *list = module.getNamedMetadata(REFUSALS);
  if (!list)
    return {};
  std::vector<std::string> refusals;
  for (const MDNode *each : list->operands())
    refusals.push_back(cast<MDString>(each->getOperand(0))->getString().str());
  list->eraseFromParent();
  return refusals;
}

/// Compiles the program in `bitcode` into an archive. `refusals` are errors if
/// the program lacks nothing.
Error compile_to_archive(StringRef bitcode, StringRef archive,
                         LinkCommand command, unsigned jobs,
                         Progress::Clock::time_point begin,
                         std::vector<std::string> &refusals) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(bitcode);
  if (!file)
    return createFileError(bitcode, file.getError());
  LLVMContext context;
  context.setDiscardValueNames(true);
  Expected<std::unique_ptr<Module>> module = parseBitcodeFile(**file, context);
  if (!module)
    return module.takeError();
  refusals = take_refusals(**module);
  if ((*module)->getModuleFlag(ONE_THREAD))
    set_one_thread(command);
  if (Error error =
          initialize_codegen(command.llvm_options, command.settings.plugins))
    return error;
  const Store store = Store::open_named("gpucc-ld");
  Work work;
  Progress progress(errs(), isatty(STDERR_FILENO), begin);
  Expected<std::vector<NamedObject>> objects = compile_program(
      **module, command.settings, command.llvm_options, store, jobs, work,
      [&](size_t done, size_t all) { progress.show(done, all); });
  if (!objects)
    return objects.takeError();
  if (TimePassesIsEnabled) // -Wl,-mllvm,-time-passes
    reportAndResetTimings(&errs());
  if (command.verbose)
    errs() << "gpucc-ld: " << work.pieces << " pieces, " << work.kept
           << " of them from the cache\n";
  store.shrink(LINK_CACHE.largest);
  std::vector<NewArchiveMember> members;
  for (const NamedObject &object : *objects)
    members.emplace_back(MemoryBufferRef(object.object, object.name));
  return writeArchive(archive, members, SymtabWritingMode::NoSymtab,
                      object::Archive::K_GNU, /*Deterministic=*/true,
                      /*Thin=*/false);
}

/// ld.lld's arguments for the first step, the link of the bitcode.
std::vector<std::string> first_link(const LinkCommand &command,
                                    StringRef output) {
  // All errors, for find_defined_twice(); a user's own limit comes later.
  std::vector<std::string> arguments = {"--error-limit=0"};
  append_range(arguments, command.arguments);
  for (StringRef more : {"--lto-emit-llvm", "-o"})
    arguments.push_back(more.str());
  arguments.push_back(output.str());
  return arguments;
}

/// ld.lld's arguments for the last step: the archive of objects comes before
/// all others, and the bitcode files are left out. Behind a library, an object
/// of the archive would have ld.lld take from the library what the archive's
/// next object defines.
std::vector<std::string> last_link(const LinkCommand &command,
                                   StringRef archive) {
  std::vector<std::string> arguments = {"--whole-archive", archive.str(),
                                        "--no-whole-archive"};
  for (size_t i = 0; i < command.arguments.size(); ++i)
    if (!command.bitcode[i])
      arguments.push_back(command.arguments[i]);
  arguments.push_back("-o");
  arguments.push_back(command.output);
  return arguments;
}

/// PREFIX/lib/gpuexec/, where this program and the libraries are.
std::string our_folder() {
  SmallString<128> path;
  sys::fs::real_path("/proc/self/exe", path);
  return (sys::path::parent_path(path) + "/").str();
}

/// A folder for copies of libraries, removed with this object.
struct TemporaryFolder {
  ~TemporaryFolder() {
    if (!path.empty())
      sys::fs::remove_directories(path);
  }
  SmallString<128> path;
};

/// Copies the libraries into the folder, each with other names for what the
/// program defines as well, and has the command find the copies first.
Error use_copies(LinkCommand &command, TemporaryFolder &folder,
                 const DefinedTwice &twice) {
  if (std::error_code error =
          sys::fs::createUniqueDirectory("gpucc-ld", folder.path))
    return createFileError("temporary folder", error);
  for (const auto &[archive, symbols] : twice)
    if (Error error = yield_symbols(
            archive, (folder.path + "/" + sys::path::filename(archive)).str(),
            symbols))
      return error;
  command.arguments.insert(command.arguments.begin(),
                           ("-L" + folder.path).str());
  command.bitcode.insert(command.bitcode.begin(), false);
  return Error::success();
}

/// The first link, which optimises the program into a bitcode file. It is done
/// once more if the program defines functions that our own libraries have, too.
/// Returns ld.lld's exit status.
int link_bitcode(const std::string &lld, LinkCommand &command,
                 TemporaryFolder &folder, StringRef output) {
  Expected<TemporaryFile> errors = TemporaryFile::create("txt");
  if (!errors)
    return fail(toString(errors.takeError()));
  const int status = run_lld(lld, first_link(command, output), errors->path());
  ErrorOr<std::unique_ptr<MemoryBuffer>> said =
      MemoryBuffer::getFile(errors->path());
  const StringRef messages = said ? (*said)->getBuffer() : "";
  DefinedTwice twice;
  if (status)
    twice = find_defined_twice(messages, our_folder());
  if (twice.empty()) {
    errs() << messages;
    return status;
  }
  if (Error error = use_copies(command, folder, twice))
    return fail(toString(std::move(error)));
  return run_lld(lld, first_link(command, output));
}

/// Links the objects. Errors about undefined symbols name the user's own files
/// and functions.
int link_objects(const std::string &lld, const LinkCommand &command,
                 StringRef archive) {
  Expected<TemporaryFile> errors = TemporaryFile::create("txt");
  if (!errors)
    return fail(toString(errors.takeError()));
  const int status = run_lld(lld, last_link(command, archive), errors->path());
  if (ErrorOr<std::unique_ptr<MemoryBuffer>> said =
          MemoryBuffer::getFile(errors->path()))
    errs() << name_references((*said)->getBuffer(), command);
  return status;
}

/// Reports what passes refuse in a program that lacks nothing.
int refuse(const LinkCommand &command,
           const std::vector<std::string> &refusals) {
  sys::fs::remove(command.output);
  for (const std::string &refusal : refusals)
    fail(refusal);
  return 1;
}

int link(int argc, char **argv) {
  const auto begin = Progress::Clock::now();
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *> arguments(argv + 1, argv + argc);
  cl::ExpandResponseFiles(saver, cl::TokenizeGNUCommandLine, arguments);
  LinkCommand command = parse_link_command(arguments);
  const std::string lld = find_lld();
  if (lld.empty())
    return fail("ld.lld-22 not found (Debian: apt-get install lld-22)");
  Expected<unsigned> jobs = number("GPUEXEC_LINK_JOBS");
  Expected<unsigned> block_threads = number(BLOCK_THREADS);
  if (!jobs || !block_threads)
    return fail(
        toString(joinErrors(jobs.takeError(), block_threads.takeError())));
  if (!command.undivided.empty() && *block_threads)
    return fail("--gpu-max-threads-per-block: not possible here: " +
                command.undivided);
  if (!command.undivided.empty())
    return become_lld(lld, argc, argv);
  Expected<TemporaryFile> bitcode = TemporaryFile::create("bc");
  Expected<TemporaryFile> archive = TemporaryFile::create("a");
  if (!bitcode || !archive)
    return fail(toString(joinErrors(bitcode.takeError(), archive.takeError())));
  // At -O0 blocks are not limited to one thread: values would be in scalar
  // instead of vector registers, and LLVM would spill those with all lanes at
  // the end of each basic block.
  if (variable(BLOCK_THREADS).empty() &&
      command.settings.level != CodeGenOptLevel::None)
    setenv(BLOCK_THREADS, AUTOMATIC, 1);
  setenv(REFUSE_LATER, "1", 1);
  TemporaryFolder copies;
  if (int status = link_bitcode(lld, command, copies, bitcode->path()))
    return status;
  std::vector<std::string> refusals;
  if (Error error = compile_to_archive(bitcode->path(), archive->path(),
                                       command, *jobs, begin, refusals))
    return fail(toString(std::move(error)));
  if (int status = link_objects(lld, command, archive->path()))
    return status;
  return refusals.empty() ? 0 : refuse(command, refusals);
}

} // namespace
} // namespace gpuexec

int main(int argc, char **argv) {
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  return gpuexec::link(argc, argv);
}
