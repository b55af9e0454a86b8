//===-- toolchain/link/tests/link_test.cpp - Pieces of programs -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/link/command_line.h"
#include "toolchain/link/omitted_passes.h"
#include "toolchain/link/own_functions.h"
#include "toolchain/link/program.h"
#include "toolchain/link/progress.h"
#include "toolchain/link/split.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>

using namespace gpuexec;
using namespace llvm;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

/// A function that costs `instructions`.
std::string function_of(const std::string &name, unsigned instructions,
                        const std::string &linkage = "hidden") {
  std::string text = "define " + linkage + " i32 @" + name + "(i32 %x) {\n";
  for (unsigned i = 0; i < instructions; ++i)
    text += "  store volatile i32 %x, ptr @counter\n";
  return text + "  ret i32 %x\n}\n";
}

const std::string HEAD = "target triple = \"amdgcn-amd-amdhsa\"\n"
                         "@counter = internal global i32 0\n";
const std::string KERNEL = "define amdgpu_kernel void @_start() {\n"
                           "  ret void\n}\n";

struct Program {
  LLVMContext context;
  std::unique_ptr<Module> module;

  explicit Program(const std::string &text) {
    SMDiagnostic error;
    module = parseAssemblyString(text, error, context);
    if (!module)
      ADD_FAILURE() << error.getMessage().str() << " in line "
                    << error.getLineNo() << " of\n"
                    << text;
  }
};

std::vector<std::string> names(const Piece &piece) {
  std::vector<std::string> all;
  for (const GlobalValue *value : piece.definitions)
    all.push_back(value->getName().str());
  return all;
}

/// A piece's module, which must be correct.
std::unique_ptr<Module> read(LLVMContext &context, StringRef bitcode) {
  auto module =
      cantFail(parseBitcodeFile(MemoryBufferRef(bitcode, "piece"), context));
  std::string problem;
  raw_string_ostream out(problem);
  EXPECT_FALSE(verifyModule(*module, &out)) << problem;
  return module;
}

TEST(Split, large_functions_are_alone_and_kernels_last) {
  Program program(HEAD + function_of("large", 400) + function_of("a", 2) +
                  KERNEL + function_of("b", 3));
  const std::vector<Piece> pieces = split(*program.module);
  ASSERT_EQ(pieces.size(), 4u);
  EXPECT_THAT(names(pieces[0]), ElementsAre("large"));
  EXPECT_THAT(names(pieces[1]), ElementsAre("a", "b"));
  EXPECT_THAT(names(pieces[2]), ElementsAre("counter"));
  EXPECT_THAT(names(pieces[3]), ElementsAre("_start"));
  EXPECT_TRUE(pieces[3].kernels);
  EXPECT_FALSE(pieces[0].kernels);
}

TEST(Split, an_added_function_leaves_most_pieces_as_they_are) {
  std::string functions;
  for (int i = 0; i < 200; ++i)
    functions += function_of("f" + std::to_string(i), 20);
  auto bitcode = [&](const std::string &text) {
    Program program(HEAD + text + KERNEL);
    std::vector<std::string> all;
    for (const Piece &piece : split(*program.module))
      all.push_back(extract(*program.module, piece).str().str());
    return all;
  };
  const std::vector<std::string> before = bitcode(functions);
  const std::vector<std::string> after =
      bitcode(function_of("added", 30) + functions);
  size_t same = 0;
  for (const std::string &piece : after)
    same += std::count(before.begin(), before.end(), piece);
  EXPECT_GT(before.size(), 8u);
  EXPECT_GE(same + 2, after.size());
}

TEST(Split, what_must_be_in_one_object) {
  Program program(
      HEAD +
      "@labels = internal constant [1 x ptr] [ptr blockaddress(@jumps, %to)]\n"
      "@other = hidden alias i32 (i32), ptr @large\n" +
      function_of("large", 400) +
      "define hidden void @jumps(i64 %i) {\n"
      "  %p = getelementptr ptr, ptr @labels, i64 %i\n"
      "  %l = load ptr, ptr %p\n"
      "  indirectbr ptr %l, [label %to]\n"
      "to:\n  ret void\n}\n" +
      KERNEL);
  std::vector<std::vector<std::string>> all;
  for (const Piece &piece : split(*program.module)) {
    all.push_back(names(piece));
    LLVMContext context;
    read(context, extract(*program.module, piece));
  }
  EXPECT_THAT(all, Contains(UnorderedElementsAre("jumps", "labels")));
  EXPECT_THAT(all, Contains(UnorderedElementsAre("large", "other")));
}

TEST(Split, shared_memory_keeps_a_program_whole) {
  Program program(HEAD + "@s = internal addrspace(3) global i32 poison\n" +
                  function_of("large", 400) + KERNEL);
  const std::vector<Piece> pieces = split(*program.module);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_TRUE(pieces[0].kernels);
}

TEST(Extract, constants_are_copied_and_variables_declared) {
  Program program(
      HEAD +
      "@text = private unnamed_addr constant [3 x i8] c\"ab\\00\"\n"
      "@table = internal unnamed_addr constant [1 x ptr] [ptr @text]\n"
      "define hidden ptr @f() {\n  %c = load volatile i32, ptr @counter\n"
      "  %p = load ptr, ptr @table\n  ret ptr %p\n}\n" +
      KERNEL);
  const std::vector<Piece> pieces = split(*program.module);
  LLVMContext context;
  const auto module = read(context, extract(*program.module, pieces[0]));
  unsigned copies = 0;
  for (const GlobalVariable &variable : module->globals())
    copies += variable.hasInitializer() && variable.hasLocalLinkage();
  EXPECT_EQ(copies, 2u);
  ASSERT_TRUE(module->getGlobalVariable("counter"));
  EXPECT_TRUE(module->getGlobalVariable("counter")->isDeclaration());
}

TEST(Extract, printf_is_not_the_backend_s) {
  Program program(HEAD +
                  "define hidden i32 @printf(ptr %f, ...) {\n ret i32 0\n}\n" +
                  KERNEL);
  const std::vector<Piece> pieces = split(*program.module);
  EXPECT_THAT(names(pieces[0]), ElementsAre("__gpuexec_printf"));
}

struct CompileTest : testing::Test {
  static void SetUpTestSuite() { cantFail(initialize_codegen({}, {})); }
  CodeGenSettings settings{"gfx942", {}, CodeGenOptLevel::Default};

  std::vector<NamedObject> objects_of(const std::string &text,
                                      const Store &store = {},
                                      Work *work = nullptr) {
    Program program(text);
    Work ignored;
    auto objects = compile_program(*program.module, settings, {}, store, 2,
                                   work ? *work : ignored);
    if (!objects) {
      ADD_FAILURE() << toString(objects.takeError());
      return {};
    }
    return std::move(*objects);
  }

  std::vector<std::string> sections_of(const NamedObject &object) {
    auto file = cantFail(object::ObjectFile::createObjectFile(
        MemoryBufferRef(object.object, object.name)));
    std::vector<std::string> all;
    for (const object::SectionRef &section : file->sections())
      all.push_back(cantFail(section.getName()).str());
    return all;
  }
};

const std::string MANY_REGISTERS =
    "define hidden void @many() {\n"
    "  call void asm sideeffect \"\", \"~{v77}\"()\n  ret void\n}\n";
const std::string CALLING_KERNEL = "define amdgpu_kernel void @_start() {\n"
                                   "  call void @many()\n  ret void\n}\n";

TEST_F(CompileTest, kernels_have_the_registers_of_what_they_call) {
  const auto objects = objects_of(HEAD + MANY_REGISTERS + CALLING_KERNEL);
  ASSERT_EQ(objects.size(), 3u);
  EXPECT_EQ(objects[0].name, "_start");
  auto file = cantFail(object::ObjectFile::createObjectFile(
      MemoryBufferRef(objects[0].object, "kernels")));
  uint64_t registers = 0;
  for (const object::SymbolRef &symbol : file->symbols())
    if (cantFail(symbol.getName()) == "_start.num_vgpr")
      registers = cantFail(symbol.getAddress());
  EXPECT_EQ(registers, 78u);
}

std::vector<std::string> omitted_with(unsigned instructions) {
  const Program program(HEAD + function_of("long", instructions));
  std::vector<std::string> names;
  for (AnalysisID id : omitted_passes(*program.module, /*one_thread=*/false))
    names.push_back(PassRegistry::getPassRegistry()
                        ->getPassInfo(id)
                        ->getPassArgument()
                        .str());
  return names;
}

TEST_F(CompileTest, long_functions_do_without_passes_of_quadratic_time) {
  EXPECT_THAT(omitted_with(20001), ElementsAre("slsr", "si-form-memory-clauses",
                                               "si-peephole-sdwa"));
  EXPECT_THAT(omitted_with(19000), IsEmpty());
}

TEST_F(CompileTest, only_the_kernels_object_has_notes) {
  const auto objects = objects_of(HEAD + MANY_REGISTERS + CALLING_KERNEL);
  EXPECT_THAT(sections_of(objects[0]), Contains(".note"));
  for (size_t i = 1; i < objects.size(); ++i)
    EXPECT_THAT(sections_of(objects[i]), testing::Not(Contains(".note")));
}

struct StoreTest : CompileTest {
  SmallString<128> folder;

  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("link-test", folder));
  }
  void TearDown() override { sys::fs::remove_directories(folder); }

  Store store(std::string expected_warning = "") {
    std::string warning;
    Store opened = Store::open(folder.str().str(), warning);
    EXPECT_THAT(warning, HasSubstr(expected_warning));
    return opened;
  }

  std::vector<std::string> files() {
    std::vector<std::string> all;
    std::error_code error;
    for (sys::fs::directory_iterator file(folder, error), end; file != end;
         file.increment(error))
      all.push_back(file->path());
    return all;
  }
};

TEST_F(StoreTest, second_link_compiles_what_is_new) {
  Work first, second, changed;
  const std::string large = function_of("large", 400);
  const auto before = objects_of(HEAD + large + KERNEL, store(), &first);
  const auto after = objects_of(HEAD + large + KERNEL, store(), &second);
  EXPECT_EQ(first.kept, 0u);
  EXPECT_EQ(second.kept, second.pieces);
  ASSERT_EQ(before.size(), after.size());
  for (size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(before[i].object, after[i].object);
  objects_of(HEAD + function_of("large", 401) + KERNEL, store(), &changed);
  EXPECT_EQ(changed.kept + 1, changed.pieces);
}

TEST_F(StoreTest, settings_are_part_of_the_key) {
  Work work;
  objects_of(HEAD + KERNEL, store());
  settings.level = CodeGenOptLevel::None;
  objects_of(HEAD + KERNEL, store(), &work);
  EXPECT_EQ(work.kept, 0u);
  settings.processor = "gfx90a";
  objects_of(HEAD + KERNEL, store(), &work);
  EXPECT_EQ(work.kept, 0u);
  settings.plugins = {"/proc/self/exe"}; // any file
  objects_of(HEAD + KERNEL, store(), &work);
  EXPECT_EQ(work.kept, 0u);
}

TEST_F(StoreTest, damaged_files_are_not_used_and_replaced) {
  Work work;
  objects_of(HEAD + KERNEL, store());
  ASSERT_FALSE(files().empty());
  for (const std::string &path : files()) {
    std::error_code error;
    raw_fd_ostream file(path, error, sys::fs::CD_OpenExisting,
                        sys::fs::FA_Write, sys::fs::OF_None);
    file.seek(100);
    file << "damage";
  }
  objects_of(HEAD + KERNEL, store(), &work);
  EXPECT_EQ(work.kept, 0u);
  for (const std::string &path : files()) {
    int fd;
    ASSERT_FALSE(sys::fs::openFileForWrite(path, fd, sys::fs::CD_CreateAlways));
    close(fd);
  }
  objects_of(HEAD + KERNEL, store(), &work);
  EXPECT_EQ(work.kept, 0u);
  objects_of(HEAD + KERNEL, store(), &work);
  EXPECT_EQ(work.kept, work.pieces);
}

TEST_F(StoreTest, a_folder_that_others_can_write_is_not_used) {
  ASSERT_FALSE(sys::fs::setPermissions(folder, sys::fs::all_all));
  Work work;
  objects_of(HEAD + KERNEL, store("can be written by other users"), &work);
  EXPECT_THAT(files(), IsEmpty());
}

struct CommandLineTest : testing::Test {
  SmallString<128> bitcode, object;

  void SetUp() override {
    write(bitcode, "BC\xC0\xDE");
    write(object, StringRef("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\1\0", 18));
  }
  void TearDown() override {
    sys::fs::remove(bitcode);
    sys::fs::remove(object);
  }
  static void write(SmallString<128> &path, StringRef text) {
    int fd;
    ASSERT_FALSE(sys::fs::createTemporaryFile("link-test", "o", fd, path));
    raw_fd_ostream(fd, /*shouldClose=*/true) << text;
  }
};

TEST_F(CommandLineTest, what_clang_says) {
  const LinkCommand command = parse_link_command(
      {"-shared", "-plugin-opt=mcpu=gfx942", "-plugin-opt=O3", "--lto-CGO1",
       "-plugin-opt=-mattr=+xnack,-sramecc", bitcode.c_str(), "-mllvm", "-x",
       "-lc", "--load-pass-plugin=more.so", "-o", "out"});
  EXPECT_EQ(command.undivided, "");
  EXPECT_EQ(command.output, "out");
  EXPECT_EQ(command.settings.processor, "gfx942");
  EXPECT_THAT(command.settings.attributes, ElementsAre("+xnack", "-sramecc"));
  EXPECT_EQ(command.settings.level, CodeGenOptLevel::Less);
  EXPECT_THAT(command.llvm_options, ElementsAre("-x"));
  EXPECT_THAT(command.settings.plugins, ElementsAre("more.so"));
  EXPECT_THAT(command.arguments, testing::Not(Contains("-o")));
  EXPECT_EQ(std::count(command.bitcode.begin(), command.bitcode.end(), true),
            1);
}

TEST_F(CommandLineTest, links_that_are_the_linker_s_own) {
  EXPECT_EQ(parse_link_command({object.c_str()}).undivided,
            std::string(object) + " has machine code");
  EXPECT_EQ(parse_link_command({"-shared"}).undivided, "no bitcode");
  for (const char *option :
       {"--save-temps", "--save-temps=prelink", "-r", "--lto-emit-asm",
        "--whole-archive", "-plugin-opt=emit-asm", "--thinlto-jobs=2",
        "--version", "--help"})
    EXPECT_EQ(parse_link_command({option, bitcode.c_str()}).undivided, option);
  // Begins like another option.
  EXPECT_EQ(
      parse_link_command({"--version-script=map", bitcode.c_str()}).undivided,
      "");
}

TEST(ProgressTest, only_a_long_link_at_a_terminal_says_how_far_it_is) {
  const Progress::Clock::time_point begin{};
  const auto later = begin + std::chrono::seconds(3);
  auto said = [&](bool terminal, Progress::Clock::time_point now) {
    std::string text;
    raw_string_ostream os(text);
    {
      Progress progress(os, terminal, begin);
      progress.show(2, 5, now);
    }
    return text;
  };
  EXPECT_EQ(said(true, begin + std::chrono::seconds(1)), "");
  EXPECT_EQ(said(false, later), "");
  EXPECT_EQ(said(true, later), "\r\033[Kgpucc: 2 of 5 parts of the program "
                               "compiled\r\033[K");
}

TEST_F(CompileTest, progress_counts_all_pieces_but_the_kernels) {
  Program program(HEAD + MANY_REGISTERS + CALLING_KERNEL);
  Work work;
  size_t calls = 0, total = 0;
  auto objects = compile_program(*program.module, settings, {}, {}, 1, work,
                                 [&](size_t done, size_t all) {
                                   EXPECT_EQ(done, ++calls);
                                   total = all;
                                 });
  ASSERT_TRUE(bool(objects)) << toString(objects.takeError());
  EXPECT_EQ(calls, 2u);
  EXPECT_EQ(work.pieces, 3u);
  EXPECT_EQ(total, work.pieces);
}

TEST(DefinedTwiceTest, only_what_our_libraries_define_as_well) {
  const std::string ours = "ld.lld: error: duplicate symbol: remove\n"
                           ">>> defined in /tmp/a.o\n"
                           ">>> defined in /p/lib/gpuexec/t/libc.a(x.c.o)\n\n",
                    lines = "ld.lld: error: duplicate symbol: rand\n"
                            ">>> defined at a.c:5\n"
                            ">>>            /tmp/a.o:(rand)\n"
                            ">>> defined at y.c:7 (/s/y.c:7)\n"
                            ">>>            y.c.o:(.text+0x0) in archive "
                            "/p/lib/gpuexec/t/libc.a\n",
                    theirs = "ld.lld: error: duplicate symbol: f\n"
                             ">>> defined in a.o\n>>> defined in b.o\n",
                    other = "ld.lld: error: cannot open nosuch.o\n";
  const std::string folder = "/p/lib/gpuexec/";
  const DefinedTwice found = find_defined_twice(ours + lines, folder);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.begin()->first, "/p/lib/gpuexec/t/libc.a");
  EXPECT_EQ(found.begin()->second, std::set<std::string>({"rand", "remove"}));
  EXPECT_TRUE(find_defined_twice(ours + theirs, folder).empty());
  EXPECT_TRUE(find_defined_twice(ours + other, folder).empty());
  EXPECT_TRUE(find_defined_twice("", folder).empty());
}

} // namespace
