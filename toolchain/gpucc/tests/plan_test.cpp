//===-- toolchain/gpucc/tests/plan_test.cpp - Arguments to commands -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/tests/fake_machine.h"

using namespace gpuexec;
using namespace gpuexec::tests;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

namespace {

TEST_F(PlanTest, options_that_would_do_nothing) {
  for (const char *line :
       {"gpucc --coverage a.c", "gpucc -c -fprofile-generate=x a.c",
        "gpucc -pg a.c", "gpucc -fsanitize=address a.c",
        "gpucc -fsanitize=bounds,shift -fsanitize-trap=shift a.c",
        "gpucc -fsanitize=undefined -fsanitize-trap=all "
        "-fno-sanitize-trap=all a.c"})
    EXPECT_THAT(of(line).error, HasSubstr(": ")) << line;
  for (const char *line :
       {"gpucc --coverage-like.c", "gpucc -pthread -pipe a.c",
        "gpucc -fprofile-generate -fno-profile-generate a.c",
        "gpucc -o -pg a.c", "gpucc -fsanitize=undefined -fsanitize-trap a.c",
        "gpucc -fsanitize=undefined,address -fno-sanitize=address "
        "-fsanitize-trap=undefined a.c",
        "gpucc -fsanitize=shift -fsanitize-undefined-trap-on-error a.c",
        "gpucc -fsanitize=address -fno-sanitize=all a.c"})
    EXPECT_EQ(of(line).error, "") << line;
}

TEST_F(PlanTest, libraries_that_are_not_there) {
  const std::string own = std::string(ROOT) + "/amdgcn-amd-amdhsa/libz";
  machine.missing = {own + ".a", own + ".so", "/x/libz.a", "/x/libz.so"};
  EXPECT_THAT(of("gpucc --arch=gfx942 a.c -lz").error,
              StartsWith("-lz: no such library for GPUs in " +
                         std::string(ROOT) + "/amdgcn-amd-amdhsa or"));
  EXPECT_NE(of("gpucc --arch=gfx942 a.c -L /x -l z -Wl,-O1").error, "");
  for (const char *line :
       {"gpucc --arch=gfx942 a.c -L/y -lz", "gpucc --arch=gfx942 -c a.c -lz",
        "gpucc --arch=gfx942 a.c -Wl,-L/y -lz", "gpucc --arch=gfx942 a.c -lm",
        "gpucc --arch=gfx942 @more -lz", "gpucc --arch=gfx942 -o -lz a.c"})
    EXPECT_EQ(of(line).error, "") << line;
}

TEST_F(PlanTest, libraries_of_ports) {
  machine.variables["HOME"] = "/home/u";
  const std::string ports = "/home/u/.local/share/gpuexec/ports/gfx942";
  EXPECT_EQ(of("gpucc --arch=gfx942 --print-ports").text, ports + "\n");
  EXPECT_THAT(
      clang_arguments("gpucc --arch=gfx942 a.c -lz"),
      AllOf(Contains(ports + "/include"), Contains("-L" + ports + "/lib")));
  EXPECT_THAT(clang_arguments("gpucc --arch=gfx942 -c a.c"),
              AllOf(Contains(ports + "/include"),
                    Not(Contains("-L" + ports + "/lib"))));
  machine.missing = {ports + "/include"};
  EXPECT_THAT(clang_arguments("gpucc --arch=gfx942 a.c"),
              Not(Contains("-idirafter")));
}

TEST_F(PlanTest, where_ports_are) {
  machine.variables["XDG_DATA_HOME"] = "/data";
  EXPECT_EQ(of("gpucc --arch=sm_90 --print-ports").text,
            "/data/gpuexec/ports/sm_90\n");
  machine.variables["GPUEXEC_PORTS"] = "/p";
  EXPECT_EQ(of("gpucc --arch=sm_90 --print-ports").text, "/p/sm_90\n");
  machine.variables["GPUEXEC_PORTS"] = "p";
  EXPECT_EQ(of("gpucc --arch=sm_90 --print-ports").error,
            "GPUEXEC_PORTS=p: has to begin with /");
  machine.variables["GPUEXEC_PORTS"] = "off";
  EXPECT_EQ(of("gpucc --arch=sm_90 --print-ports").error, "GPUEXEC_PORTS=off");
  machine.variables = {{"PATH", "/usr/bin"}, {"HOME", "relative"}};
  EXPECT_EQ(of("gpucc --arch=sm_90 --print-ports").error,
            "neither HOME nor XDG_DATA_HOME names a folder");
}

TEST_F(PlanTest, a_library_that_a_port_has) {
  machine.variables["GPUEXEC_PORTS"] = "/p";
  machine.texts[std::string(ROOT) + "/port/libraries.txt"] =
      "bz2 bzip2\nlzma xz-utils\n";
  const std::string own = std::string(ROOT) + "/amdgcn-amd-amdhsa/lib";
  for (const char *name : {"lzma", "m2"})
    for (const std::string &folder : {own, std::string("/p/gfx90a/lib/lib")})
      for (const char *suffix : {".a", ".so"})
        machine.missing.insert(folder + name + suffix);
  EXPECT_THAT(of("gpucc --arch=gfx90a a.c -llzma").error,
              EndsWith("; build it with: gpucc-port install xz-utils --target "
                       "gfx90a"));
  EXPECT_THAT(of("gpucc --arch=gfx90a a.c -lm2").error,
              HasSubstr("build it as a static one"));
  // It is there, but another user could have put it there.
  machine.missing.erase("/p/gfx90a/lib/liblzma.a");
  EXPECT_EQ(of("gpucc --arch=gfx90a a.c -llzma").error, "");
  machine.distrusted["/p/gfx90a"] = "/p: belongs to another user";
  EXPECT_THAT(
      of("gpucc --arch=gfx90a a.c -llzma").error,
      EndsWith("; the libraries of gpucc-port are not used: /p: belongs "
               "to another user"));
  EXPECT_THAT(clang_arguments("gpucc --arch=gfx90a a.c"),
              Not(Contains("-idirafter")));
}

TEST_F(PlanTest, unix_is_defined_in_gnu_modes_only) {
  EXPECT_THAT(clang_arguments("gpucc -c a.c"), Contains("-Dunix=1"));
  EXPECT_THAT(clang_arguments("gpucc -std=gnu99 -c a.c"), Contains("-Dunix=1"));
  EXPECT_THAT(clang_arguments("gpucc -std=c99 -c a.c"),
              Not(Contains("-Dunix=1")));
  EXPECT_THAT(clang_arguments("gpucc --std=c11 -c a.c"),
              Not(Contains("-Dunix=1")));
  EXPECT_THAT(clang_arguments("gpucc --std c11 -c a.c"),
              Not(Contains("-Dunix=1")));
  EXPECT_THAT(clang_arguments("gpucc --std=gnu11 -c a.c"),
              Contains("-Dunix=1"));
  for (const char *ansi : {"-ansi", "--ansi"})
    EXPECT_THAT(clang_arguments(std::string("gpucc ") + ansi + " -c a.c"),
                Not(Contains("-Dunix=1")))
        << ansi;
}

TEST_F(PlanTest, links_without_the_attributor_where_it_errs) {
  const char *off = "-Wl,-mllvm,-amdgpu-attributor-enable=false";
  EXPECT_THAT(clang_arguments("gpucc --arch=gfx942 -O1 a.c"), Contains(off));
  EXPECT_THAT(clang_arguments("gpucc --arch=gfx942 -O2 -Og a.c"),
              Contains(off));
  EXPECT_THAT(clang_arguments("gpucc --arch=gfx942 -O1 -O2 a.c"),
              Not(Contains(off)));
  EXPECT_THAT(clang_arguments("gpucc --arch=gfx942 -O1 -c a.c"),
              Not(Contains(off)));
  EXPECT_THAT(clang_arguments("gpucc --arch=sm_90 -O1 a.c"),
              Not(Contains(off)));
}

TEST_F(PlanTest, waves_of_64_lanes) {
  const char *all = "-Wl,-plugin-opt=-mattr=+wavefrontsize64";
  EXPECT_THAT(clang_arguments("gpucc --arch=gfx1100 -mwavefrontsize64 a.c"),
              Contains(all));
  EXPECT_THAT(clang_arguments("gpucc --arch=gfx1100 a.c"), Not(Contains(all)));
  EXPECT_THAT(clang_arguments("gpucc --arch=gfx1100 -mwavefrontsize64 "
                              "-mno-wavefrontsize64 a.c"),
              Not(Contains(all)));
  EXPECT_THAT(clang_arguments("gpucc --arch=gfx1100 -mwavefrontsize64 -c a.c"),
              Not(Contains(all)));
}

TEST_F(PlanTest, amd_link) {
  const Plan made = of("gpucc --arch=gfx90a hello.c -o hello");
  ASSERT_TRUE(made.clang);
  EXPECT_EQ(made.clang->program, "/usr/bin/clang-22");
  EXPECT_THAT(
      made.clang->arguments,
      ElementsAre("gpucc", "--driver-mode=gcc",
                  std::string("--config=") + ROOT + "/amdgcn-amd-amdhsa.cfg",
                  "--target=amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-Dunix=1",
                  "hello.c", "-o", "hello",
                  std::string("--ld-path=") + ROOT + "/gpucc-ld",
                  "-fmath-errno"));
  EXPECT_EQ(made.text + made.warning + made.error, "");
  EXPECT_EQ(made.checked_ptx + made.self_run, "");
}

TEST_F(PlanTest, cubin_link) {
  machine.add_cuda("/usr/local/cuda");
  const Plan made = of("gpucc --arch=sm_90 --maxrregcount=64 hello.c");
  ASSERT_TRUE(made.clang);
  EXPECT_THAT(
      made.clang->arguments,
      ElementsAre("gpucc", "--driver-mode=gcc",
                  std::string("--config=") + ROOT + "/nvptx64-nvidia-cuda.cfg",
                  "--target=nvptx64-nvidia-cuda", "-march=sm_90",
                  "--cuda-feature=+ptx78", "--cuda-path=/usr/local/cuda",
                  "--start-no-unused-arguments", "--no-cuda-version-check",
                  "--end-no-unused-arguments",
                  "-Wl,--suppress-stack-size-warning",
                  std::string("-Wl,--cuda-path=") + ROOT + "/cuda", "-Dunix=1",
                  "hello.c", "-fmath-errno"));
  EXPECT_THAT(made.clang->variables,
              ElementsAre(Pair("GPUEXEC_CUDA", "/usr/local/cuda"),
                          Pair("GPUEXEC_REGISTERS", "64")));
  EXPECT_EQ(made.checked_ptx, "");
}

TEST_F(PlanTest, ptx_link_is_checked) {
  machine.add_cuda("/usr/local/cuda");
  const Plan made = of("gpucc --arch=sm_70 --emit-ptx hello.c -o hello");
  ASSERT_TRUE(made.clang);
  EXPECT_THAT(made.clang->arguments, Contains("-Wl,--lto-emit-asm"));
  EXPECT_TRUE(made.clang->variables.empty());
  EXPECT_EQ(made.checked_ptx, "hello");
  EXPECT_EQ(made.warning, "");
}

TEST_F(PlanTest, ptx_without_cuda_tools) {
  const Plan made = of("gpucc --arch=sm_90 hello.c");
  ASSERT_TRUE(made.clang);
  EXPECT_THAT(made.clang->arguments, Contains("-Wl,--lto-emit-asm"));
  EXPECT_THAT(made.clang->arguments, Not(Contains(StartsWith("--cuda-path="))));
  EXPECT_EQ(made.checked_ptx, "a.out");
  EXPECT_EQ(made.warning, "") << "nobody asked for a toolkit";
}

TEST_F(PlanTest, incomplete_cuda_toolkit_is_a_warning) {
  machine.variables["CUDA_PATH"] = "/cuda";
  machine.programs.insert("/cuda/bin/ptxas");
  EXPECT_EQ(of("gpucc --arch=sm_90 hello.c").warning,
            "/cuda/bin/nvlink not found, which is part of the CUDA toolkit: "
            "PTX is made instead of a cubin");
  EXPECT_EQ(of("gpucc --arch=sm_90 -c hello.c").warning, "");
  EXPECT_EQ(of("gpucc --arch=sm_90 --emit-ptx hello.c").warning, "");
}

TEST_F(PlanTest, cuda_toolkits_in_order) {
  machine.add_cuda("/usr/local/cuda");
  machine.add_cuda("/onpath");
  machine.add_cuda("/named");
  EXPECT_THAT(clang_arguments("gpucc --arch=sm_90 a.c"),
              Contains("--cuda-path=/usr/local/cuda"));
  machine.variables["PATH"] += ":/onpath/bin";
  EXPECT_THAT(clang_arguments("gpucc --arch=sm_90 a.c"),
              Contains("--cuda-path=/onpath"));
  machine.variables["CUDA_HOME"] = "/named";
  EXPECT_THAT(clang_arguments("gpucc --arch=sm_90 a.c"),
              Contains("--cuda-path=/named"));
}

TEST_F(PlanTest, ptx_version_per_processor) {
  for (auto [arch, feature] : {std::pair("sm_70", "+ptx73"),
                               {"sm_86", "+ptx73"},
                               {"sm_87", "+ptx74"},
                               {"sm_90", "+ptx78"},
                               {"sm_100", "+ptx86"},
                               {"sm_120", "+ptx87"}})
    EXPECT_THAT(clang_arguments(std::string("gpucc -c a.c --arch=") + arch),
                Contains(std::string("--cuda-feature=") + feature))
        << arch;
}

TEST_F(PlanTest, three_names_of_arch) {
  for (const char *option :
       {"--arch=gfx942", "--arch gfx942", "-mcpu=gfx942", "-march=gfx942"})
    EXPECT_THAT(clang_arguments(std::string("gpucc a.c ") + option),
                Contains("-mcpu=gfx942"))
        << option;
}

TEST_F(PlanTest, native_arch_is_the_default) {
  EXPECT_EQ(of("gpucc --print-arch").text, "gfx942\n");
  machine.gpu = "sm_89";
  EXPECT_EQ(of("gpucc --print-arch").text, "sm_89\n");
  EXPECT_EQ(of("gpucc --arch=native --print-arch").text, "sm_89\n");
  EXPECT_EQ(of("gpucc --arch=gfx90a --print-arch").text, "gfx90a\n");
}

TEST_F(PlanTest, print_config) {
  const Plan made = of("gpucc --arch=sm_90 --print-config");
  EXPECT_EQ(made.text, std::string(ROOT) + "/nvptx64-nvidia-cuda.cfg\n");
  EXPECT_FALSE(made.clang);
}

TEST_F(PlanTest, help_ends_the_command_line) {
  const Plan made = of("gpucc --help --arch=nonsense");
  EXPECT_THAT(made.text, StartsWith("usage: gpucc "));
  EXPECT_EQ(made.error, "");
  EXPECT_FALSE(made.clang);
}

// meson takes the first version in the output for the compiler's.
TEST_F(PlanTest, version_is_clang_s_then_gpucc_s) {
  const Plan made = of("gpucc --arch=sm_90 --version");
  EXPECT_EQ(made.text, "");
  EXPECT_THAT(made.text_after, StartsWith("gpucc "));
  EXPECT_THAT(made.text_after, HasSubstr(" (sm_90)\n"));
  ASSERT_TRUE(made.clang);
  EXPECT_THAT(made.clang->arguments, Contains("--version"));
}

TEST_F(PlanTest, cpp_by_name) {
  const Plan made = of("/usr/bin/gpuc++ hello.cpp");
  ASSERT_TRUE(made.clang);
  EXPECT_EQ(made.clang->program, "/usr/bin/clang++-22");
  EXPECT_EQ(made.clang->arguments[0], "gpuc++");
  EXPECT_EQ(made.clang->arguments[1], "--driver-mode=g++");
}

TEST_F(PlanTest, cpp_has_a_configuration_in_front_of_the_target_s) {
  const std::string cxx = std::string("--config=") + ROOT + "/c++.cfg";
  const std::string amd =
      std::string("--config=") + ROOT + "/amdgcn-amd-amdhsa.cfg";
  for (const char *line :
       {"gpuc++ a.c", "gpucc a.cpp", "gpucc a.c b.cc", "gpucc -x c++ a.c",
        "gpucc -xc++ -", "gpucc @files", "gpucc -c a.C"}) {
    const std::vector<std::string> arguments = clang_arguments(line);
    const auto at = std::find(arguments.begin(), arguments.end(), cxx);
    ASSERT_NE(at, arguments.end()) << line;
    EXPECT_EQ(*(at + 1), amd) << line;
  }
  for (const char *line : {"gpucc a.c", "gpucc -x c a.c", "gpucc a.o b.s"})
    EXPECT_THAT(clang_arguments(line), Not(Contains(cxx))) << line;
}

TEST_F(PlanTest, cpp_links_with_its_library) {
  for (const char *line : {"gpuc++ a.cpp b.o", "gpuc++ b.o", "gpucc a.cpp"})
    EXPECT_THAT(clang_arguments(line), Contains("-lstdc++")) << line;
  for (const char *line :
       {"gpucc a.c b.o", "gpuc++ -c a.cpp", "gpuc++ -nostdlib++ a.cpp",
        "gpuc++ -nostdlib a.cpp", "gpuc++ -nodefaultlibs a.cpp",
        "gpuc++ -r a.o", "gpuc++ --version"})
    EXPECT_THAT(clang_arguments(line), Not(Contains("-lstdc++"))) << line;
  EXPECT_THAT(clang_arguments("gpuc++ -nostdlib++ a.cpp"),
              Not(Contains("-nostdlib++"))); // clang would warn
}

TEST_F(PlanTest, clang_s_own_name_where_it_finds_its_folder_by_it) {
  EXPECT_EQ(clang_arguments("gpucc -no-canonical-prefixes a.c")[0],
            "/usr/bin/clang-22");
}

TEST_F(PlanTest, without_lto_printf_has_another_name) {
  const std::string name = "-D__GPUEXEC_NO_LTO__=1";
  EXPECT_THAT(clang_arguments("gpucc -c a.c"), Not(Contains(name)));
  for (const char *option : {"-fno-lto", "-flto=none", "-flto -fno-lto", "-S"})
    EXPECT_THAT(clang_arguments(std::string("gpucc -c a.c ") + option),
                Contains(name))
        << option;
  EXPECT_THAT(clang_arguments("gpucc -c a.c -fno-lto -flto=full"),
              Not(Contains(name)));
}

TEST_F(PlanTest, assembly_is_not_bitcode_s_text) {
  EXPECT_THAT(clang_arguments("gpucc -S a.c"), Contains("-fno-lto"));
}

TEST_F(PlanTest, no_lto_for_nvidia_needs_ptxas) {
  auto arguments = clang_arguments("gpucc --arch=sm_90 -fno-lto -c a.c");
  EXPECT_EQ(arguments[arguments.size() - 2], "-flto") << "bitcode instead";
  machine.add_cuda("/usr/local/cuda");
  arguments = clang_arguments("gpucc --arch=sm_90 -fno-lto -c a.c");
  EXPECT_THAT(arguments, Not(Contains("-flto")));
  EXPECT_THAT(arguments, Not(Contains("-D__GPUEXEC_NO_LTO__=1")));
  arguments = clang_arguments("gpucc --arch=sm_90 --emit-ptx -fno-lto -c a.c");
  EXPECT_EQ(arguments[arguments.size() - 2], "-flto")
      << "PTX is made at the end";
}

TEST_F(PlanTest, self_run) {
  const Plan made = of("gpucc --self-run a.c -obin/a");
  EXPECT_EQ(made.self_run, "bin/a");
  EXPECT_EQ(made.launcher, "/opt/gpuexec/bin/gpuexec");
  ASSERT_TRUE(made.clang);
  EXPECT_THAT(made.clang->arguments, Not(Contains("--self-run")));
  EXPECT_EQ(of("gpucc --self-run -c a.c").self_run, "") << "nothing is linked";
}

TEST_F(PlanTest, programs_export_nothing) {
  EXPECT_THAT(clang_arguments("gpucc -rdynamic a.o -o a"),
              Not(Contains("-rdynamic")));
}

TEST_F(PlanTest, self_run_is_the_default_of_a_build_by_a_variable) {
  EXPECT_EQ(of("gpucc a.c -o a").self_run, "");
  machine.variables["GPUCC_SELF_RUN"] = "1";
  EXPECT_EQ(of("gpucc a.c -o a").self_run, "a");
  for (const char *links_nothing : {"gpucc -c a.c", "gpucc -r a.o b.o -o c.o"})
    EXPECT_EQ(of(links_nothing).self_run, "") << links_nothing;
  EXPECT_EQ(of("gpucc --no-self-run a.c -o a").self_run, "");
  EXPECT_EQ(of("gpucc --no-self-run a.c -o a").plain_image, "a");
  machine.variables["GPUCC_SELF_RUN"] = "0";
  EXPECT_EQ(of("gpucc a.c -o a").self_run, "");
}

TEST_F(PlanTest, commands_that_are_only_printed_have_no_steps_after) {
  machine.programs.erase("/usr/lib/llvm-22/bin/clang-nvlink-wrapper");
  const Plan made = of("gpucc --arch=sm_90 --self-run -### a.c");
  EXPECT_EQ(made.error, "") << "no linker is needed";
  EXPECT_EQ(made.checked_ptx + made.self_run, "");
  ASSERT_TRUE(made.clang);
  EXPECT_THAT(made.clang->arguments, Contains("-###"));
}

TEST_F(PlanTest, wrong_arch) {
  EXPECT_EQ(of("gpucc --arch=avx a.c").error,
            "--arch=avx: not a GPU's name; AMD's begin with gfx, NVIDIA's "
            "with sm_");
  EXPECT_EQ(of("gpucc --arch=sm_60 a.c").error,
            "--arch=sm_60: sm_70 is the oldest that is supported");
  EXPECT_EQ(of("gpucc --arch=native a.c").error,
            "--arch=native: no GPU found on this machine (name one: "
            "--arch=gfx942, --arch=sm_90)");
  EXPECT_EQ(of("gpucc a.c --arch").error, "--arch: needs a value");
}

TEST_F(PlanTest, wrong_maxrregcount) {
  for (const char *count : {"", "x", "-1", "23", "256", "64x"})
    EXPECT_EQ(of(std::string("gpucc a.c --maxrregcount=") + count).error,
              std::string("--maxrregcount=") + count +
                  ": not a number of registers (24 to 255, or 0 for no bound)")
        << count;
}

TEST_F(PlanTest, no_bound_of_registers) {
  machine.add_cuda("/usr/local/cuda");
  EXPECT_THAT(of("gpucc --arch=sm_90 --maxrregcount=0 a.c").clang->variables,
              Contains(Pair("GPUEXEC_REGISTERS", "")));
  EXPECT_THAT(of("gpucc --arch=sm_90 a.c").clang->variables,
              Contains(Pair("GPUEXEC_REGISTERS", "128")));
}

TEST_F(PlanTest, unaligned_access) {
  for (const char *option : {"--unaligned-access", "-munaligned-access"})
    EXPECT_THAT(
        of(std::string("gpucc --arch=sm_90 -c a.c ") + option).clang->arguments,
        AllOf(Contains("-fmax-type-align=1"), Not(Contains(option))));
  EXPECT_THAT(of("gpucc --arch=sm_90 -c a.c").clang->arguments,
              Not(Contains("-fmax-type-align=1")));
  EXPECT_THAT(of("gpucc --unaligned-access -c a.c").clang->arguments,
              Not(Contains("-fmax-type-align=1")));
}

TEST_F(PlanTest, division_check) {
  const auto unchecked = Pair("GPUEXEC_DIVISIONS", "unchecked");
  EXPECT_THAT(of("gpucc --no-division-check a.c").clang->variables,
              Contains(unchecked));
  EXPECT_THAT(of("gpucc a.c").clang->variables, Not(Contains(unchecked)));
  machine.add_cuda("/usr/local/cuda");
  EXPECT_THAT(of("gpucc --arch=sm_90 --no-division-check a.c").clang->variables,
              Not(Contains(unchecked)));
}

TEST_F(PlanTest, openmp) {
  for (const char *command :
       {"gpucc -fopenmp a.c", "gpucc -fopenmp=libgomp a.c",
        "gpucc --arch=sm_90 -fno-openmp -fopenmp -c a.c"}) {
    const auto arguments = of(command).clang->arguments;
    EXPECT_THAT(arguments, Contains("-fopenmp")) << command;
    EXPECT_THAT(arguments, Contains("-fopenmp-is-target-device")) << command;
  }
  // Lines for the names of regions, unless clang keeps lines for other reasons.
  EXPECT_THAT(of("gpucc -fopenmp a.c").clang->arguments,
              Contains("-opt-record-passes"));
  for (const char *command :
       {"gpucc -fopenmp -Rpass=inline a.c",
        "gpucc -fopenmp -fsave-optimization-record a.c", "gpucc a.c"})
    EXPECT_THAT(of(command).clang->arguments,
                Not(Contains("-opt-record-passes")))
        << command;
  // clang forgets with OpenMP that there are exceptions.
  EXPECT_THAT(of("gpuc++ -fopenmp a.cpp").clang->arguments,
              Contains("exceptions"));
  EXPECT_THAT(of("gpuc++ -fopenmp -fno-exceptions a.cpp").clang->arguments,
              Not(Contains("exceptions")));
  for (const char *command : {"gpucc a.c", "gpucc -fopenmp -fno-openmp a.c",
                              "gpucc -fopenmp-simd a.c"})
    EXPECT_THAT(of(command).clang->arguments,
                Not(Contains("-fopenmp-is-target-device")))
        << command;
}

TEST_F(PlanTest, ptx_is_nvidia_s) {
  EXPECT_EQ(of("gpucc --emit-ptx a.c").error,
            "--emit-ptx: gfx942 is an AMD GPU");
}

TEST_F(PlanTest, shared_libraries) {
  EXPECT_THAT(of("gpucc -shared a.c").error,
              StartsWith("-shared: programs for GPUs are linked whole"));
  EXPECT_EQ(of("gpucc -shared -c a.c").error, "");
}

TEST_F(PlanTest, no_sysroot) {
  machine.sysroot_error = ENOENT;
  EXPECT_EQ(of("gpucc a.c").error,
            "no sysroot: " + std::string(ROOT) +
                "/amdgcn-amd-amdhsa.cfg: No such file or directory");
}

TEST_F(PlanTest, no_clang) {
  machine.programs.erase("/usr/bin/clang-22");
  EXPECT_EQ(of("gpucc a.c").error,
            "clang-22 not found (Debian: apt-get install clang-22)");
}

TEST_F(PlanTest, relative_folders_on_path) {
  machine.programs.insert({"./clang-22", "/clang-22", "bin/clang-22"});
  machine.variables["PATH"] = ".:bin::/usr/bin:";
  ASSERT_TRUE(of("gpucc a.c").clang);
  EXPECT_EQ(of("gpucc a.c").clang->program, "/usr/bin/clang-22");
  machine.variables["PATH"] = ".:bin:";
  EXPECT_EQ(of("gpucc a.c").error,
            "clang-22 not found (Debian: apt-get install clang-22)");
}

TEST_F(PlanTest, no_linker) {
  machine.programs.erase("/usr/lib/llvm-22/bin/ld.lld");
  EXPECT_EQ(of("gpucc a.c").error,
            "ld.lld not found (Debian: apt-get install lld-22)");
  EXPECT_EQ(of("gpucc -c a.c").error, "");
  EXPECT_EQ(of("gpucc -fuse-ld=/my/ld a.c").error, "");
  machine.programs.insert("/here/ld.lld");
  EXPECT_EQ(of("gpucc -B /here a.c").error, "");
  EXPECT_EQ(of("gpucc -B/here a.c").error, "");
  EXPECT_THAT(of("gpucc -B/here a.c").clang->variables,
              Contains(Pair("GPUEXEC_LLD", "/here/ld.lld")));
}

TEST_F(PlanTest, linker_for_amd) {
  const Plan plan = of("gpucc a.c --link-cache=/c --link-jobs=3");
  EXPECT_THAT(plan.clang->arguments,
              Contains("--ld-path=" + std::string(ROOT) + "/gpucc-ld"));
  EXPECT_THAT(plan.clang->variables,
              ElementsAre(Pair("GPUEXEC_LLD", "/usr/lib/llvm-22/bin/ld.lld"),
                          Pair("GPUEXEC_LINK_CACHE", "/c"),
                          Pair("GPUEXEC_LINK_JOBS", "3")));
  for (const char *other :
       {"gpucc -c a.c", "gpucc -fuse-ld=lld a.c", "gpucc -fno-lto a.c",
        "gpucc --ld-path=/my/ld a.c", "gpucc --arch=sm_90 a.c"})
    EXPECT_THAT(of(other).clang->arguments,
                Not(Contains("--ld-path=" + std::string(ROOT) + "/gpucc-ld")))
        << other;
}

TEST_F(PlanTest, link_options_with_wrong_values) {
  EXPECT_EQ(of("gpucc a.c --link-cache=").error,
            "--link-cache=: needs a folder, or off");
  for (const char *jobs : {"0", "-1", "x", "1025", ""})
    EXPECT_EQ(of("gpucc a.c --link-jobs=" + std::string(jobs)).error,
              "--link-jobs=" + std::string(jobs) +
                  ": not a number of threads (1 to 1024)");
}

TEST_F(PlanTest, threads_of_a_block) {
  EXPECT_THAT(of("gpucc a.c --gpu-max-threads-per-block=1").clang->variables,
              Contains(Pair("GPUEXEC_BLOCK_THREADS", "1")));
  const std::string option = "--gpu-max-threads-per-block";
  EXPECT_EQ(of("gpucc a.c " + option + "=0").error,
            option + "=0: not a number of threads (1 to 1024)");
  EXPECT_EQ(of("gpucc -fuse-ld=lld a.c " + option + "=1").error,
            option + ": not with another linker");
  EXPECT_EQ(of("gpucc -c a.c -fno-lto " + option + "=1").error, "");
  EXPECT_EQ(of("gpucc a.c -fno-lto " + option + "=1").error,
            option + ": not with -fno-lto");
}

TEST_F(PlanTest, another_llvm_s_linker_on_PATH_does_not_count) {
  machine.programs.erase("/usr/lib/llvm-22/bin/ld.lld");
  machine.programs.insert("/usr/bin/ld.lld");
  EXPECT_EQ(of("gpucc a.c").error, "");
  machine.links["/usr/bin/ld.lld"] = "/usr/lib/llvm-14/bin/lld";
  EXPECT_THAT(of("gpucc a.c").error, StartsWith("ld.lld not found"));
}

TEST_F(PlanTest, objects_of_another_machine) {
  machine.objects = {{"host.o", X86_64}, {"amd.o", AMDGPU}, {"nvidia.o", CUDA}};
  EXPECT_EQ(of("gpucc a.c host.o").error,
            "host.o: made for x86-64, not for an AMD GPU (compile its source "
            "with gpucc)");
  EXPECT_THAT(of("gpucc --arch=sm_90 a.c amd.o").error,
              StartsWith("amd.o: made for an AMD GPU, not for an NVIDIA GPU"));
  EXPECT_EQ(of("gpucc a.c amd.o").error, "");
  EXPECT_EQ(of("gpucc a.c -o host.o").error, "") << "it is written, not read";
  EXPECT_EQ(of("gpucc a.c -Xclang host.o").error, "") << "clang loads it";
  EXPECT_EQ(of("gpucc -c a.c host.o").error, "") << "nothing is linked";
}

} // namespace
