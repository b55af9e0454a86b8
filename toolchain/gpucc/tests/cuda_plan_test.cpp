//===-- toolchain/gpucc/tests/cuda_plan_test.cpp - CUDA to commands -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/tests/fake_machine.h"

using namespace gpuexec;
using namespace gpuexec::tests;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

namespace {

const std::string TEMPORARY = TEMPORARY_FOLDER;

struct CudaPlanTest : PlanTest {
  /// The programs of the plan's steps, without folders.
  std::vector<std::string> programs_of(const std::string &line) {
    const Plan made = of(line);
    EXPECT_EQ(made.error, "") << line;
    std::vector<std::string> names;
    for (const Command &step : made.steps)
      names.push_back(step.program.substr(step.program.rfind('/') + 1));
    return names;
  }
  /// The arguments of a step.
  std::vector<std::string> step(const std::string &line, size_t number) {
    const Plan made = of(line);
    EXPECT_EQ(made.error, "") << line;
    return number < made.steps.size() ? made.steps[number].arguments
                                      : std::vector<std::string>();
  }
};

/// Does `list` have these words one after the other?
MATCHER_P(HasInOrder, words, "") {
  return std::search(arg.begin(), arg.end(), words.begin(), words.end()) !=
         arg.end();
}
std::vector<std::string> words(std::initializer_list<std::string> list) {
  return list;
}

TEST_F(CudaPlanTest, what_means_cuda) {
  for (const char *line :
       {"gpucc a.cu", "gpucc -x cuda a.cpp", "gpucc -xcuda a.cpp",
        "gpucc a.cpp b.cu", "/x/gpu-nvcc a.cpp", "gpuc++ -c a.cu"})
    EXPECT_THAT(of(line).steps, Not(IsEmpty())) << line;
  for (const char *line : {"gpucc a.c", "gpucc -o a.cu a.c", "gpucc -x c a.x"})
    EXPECT_THAT(of(line).steps, IsEmpty()) << line;
}

TEST_F(CudaPlanTest, objects_with_cuda_in_them_make_a_link_of_the_host) {
  machine.objects = {{"a.o", X86_64}, {"b.o", X86_64}};
  machine.texts["a.o"] = ".text .nvFatBinSegment";
  EXPECT_THAT(programs_of("gpucc a.o b.o -o prog"), ElementsAre("clang-22"));
  EXPECT_THAT(of("gpucc b.o -o prog").error, HasSubstr("b.o: made for x86-64"));
  EXPECT_THAT(of("gpucc b.o -o a.o").error, HasSubstr("b.o: made for x86-64"));
}

TEST_F(CudaPlanTest, a_source_with_texture_references_gets_their_types) {
  auto gets = [&](const char *text) {
    machine.texts["d/a.cu"] = text;
    const auto words = step("gpucc -I inc -c d/a.cu", 0);
    return std::count(words.begin(), words.end(), "-DGPUEXEC_CUDA_REFERENCES");
  };
  EXPECT_TRUE(gets("static texture<float4, 2> t;"));
  EXPECT_TRUE(gets("surface <void, 2> s;"));
  EXPECT_FALSE(gets(""));
  EXPECT_FALSE(gets("my_texture<int> a; ns::texture<int> b; texture c;"));
  EXPECT_FALSE(gets("template <class T> class texture {};\ntexture<int> t;"));
  // In files that it includes, and that those include, round and round.
  machine.texts["d/b.h"] = "#include \"c.h\"\n#include \"b.h\"";
  machine.texts["inc/c.h"] = "texture<int, 1> t;";
  EXPECT_TRUE(gets("#  include  \"b.h\""));
  EXPECT_FALSE(gets("#include <b.h>"));
  // Places without such a file do not count.
  std::string many;
  for (int i = 0; i < 300; ++i)
    many += "#include \"no" + std::to_string(i) + ".h\"\n";
  EXPECT_TRUE(gets((many + "#include \"b.h\"\n" + many).c_str()));
  machine.texts["inc/c.h"] += "struct texture;";
  EXPECT_FALSE(gets("#include \"b.h\""));
}

TEST_F(CudaPlanTest, a_source_with_managed_variables_gets_the_plugin) {
  const std::string plugin =
      "-fplugin=" + std::string(ROOT) + "/cuda/libgpuexec-managed.so";
  machine.texts["a.cu"] = "__device__ __managed__ int a;";
  EXPECT_THAT(step("gpucc -c a.cu", 0), Contains(plugin));
  EXPECT_THAT(step("gpucc -c a.cu", 2), Contains(plugin));
  EXPECT_THAT(step("gpucc -c b.cu", 0), Not(Contains(plugin)));
}

TEST_F(CudaPlanTest, openmp_of_the_host_is_clang_s) {
  EXPECT_THAT(step("gpu-nvcc a.o -lgomp -o prog", 0), Contains("-fopenmp"));
  EXPECT_THAT(step("gpu-nvcc a.o -lgomp -o prog", 0), Not(Contains("-lgomp")));
}

TEST_F(CudaPlanTest, options_of_one_compilation_may_be_a_word_with_spaces) {
  const Plan made =
      plan({"gpu-nvcc", "-c", "a.cu", "-Xcompiler", "-O3  -fopenmp"}, machine);
  ASSERT_EQ(made.error, "");
  EXPECT_THAT(made.steps[2].arguments, HasInOrder(words({"-O3", "-fopenmp"})));
}

TEST_F(CudaPlanTest, rules_are_made_by_the_host_s_compilation_alone) {
  const std::string line = "gpucc -MMD -MF rules -MP a.cu -o prog";
  const auto rules =
      words({"-MMD", "-MF", "rules", "-MP", "-MQ", "prog", "-c"});
  EXPECT_THAT(step(line, 2), HasInOrder(rules));
  for (size_t other : {0, 1, 3})
    for (const char *word : {"-MMD", "-MF", "rules", "-MP", "-MQ"})
      EXPECT_THAT(step(line, other), Not(Contains(word))) << other;
  EXPECT_THAT(step("gpucc -MD a.cu", 2),
              HasInOrder(words({"-MD", "-MQ", "a.out", "-MF", "a.out.d"})));
  // An object's rule has the names that clang gives it.
  EXPECT_THAT(step("gpucc -c -MD a.cu", 2), HasInOrder(words({"-MD", "-c"})));
  EXPECT_THAT(step("gpucc -MM a.cu", 0), Contains("-MM"));
}

TEST_F(CudaPlanTest, a_program_is_device_fatbin_host_and_link) {
  const std::string line = "gpucc -O2 -DX a.cu -o prog";
  EXPECT_THAT(programs_of(line),
              ElementsAre("clang-22", "gpucc-fatbin", "clang-22", "clang-22"));
  const std::string ptx = TEMPORARY + "/0.sm_80.ptx";
  const auto device = step(line, 0);
  EXPECT_THAT(device, Contains("--cuda-device-only"));
  EXPECT_THAT(device, Contains("--cuda-gpu-arch=sm_80"));
  EXPECT_THAT(device, Contains("-DX"));
  EXPECT_THAT(device, HasInOrder(words({"-S", "-o", ptx, "-x", "cuda"})));
  EXPECT_THAT(
      step(line, 1),
      ElementsAre("gpucc-fatbin", TEMPORARY + "/0.fatbin", "ptx,80," + ptx));
  const auto host = step(line, 2);
  EXPECT_THAT(host, Contains("--cuda-host-only"));
  EXPECT_THAT(host, Contains("-DX"));
  EXPECT_THAT(host, HasInOrder(words({"-Xclang", "-fcuda-include-gpubinary",
                                      "-Xclang", TEMPORARY + "/0.fatbin"})));
  const auto link = step(line, 3);
  EXPECT_THAT(link, HasInOrder(words({"-o", "prog"})));
  EXPECT_THAT(link, Contains(TEMPORARY + "/0.o"));
  EXPECT_THAT(link, Contains("-l:libcudart.so.12"));
  EXPECT_THAT(link, Contains("-Wl,-rpath," + std::string(ROOT) + "/cuda"));
}

TEST_F(CudaPlanTest, no_file_of_the_toolkit_is_used) {
  machine.add_cuda("/usr/local/cuda");
  for (size_t number : {0, 2}) {
    const auto arguments = step("gpucc a.cu", number);
    EXPECT_THAT(arguments, Contains("-nocudainc"));
    EXPECT_THAT(arguments, Contains("-nocudalib"));
  }
  EXPECT_THAT(programs_of("gpucc -c a.cu"), Not(Contains("ptxas")));
}

TEST_F(CudaPlanTest, device_and_host_are_told_the_same_processors) {
  const std::string line =
      "gpucc a.cu -gencode arch=compute_75,code=compute_75 "
      "-gencode arch=compute_90,code=compute_90";
  for (size_t number : {0, 1, 3}) // a fat binary is made in between
    EXPECT_THAT(step(line, number),
                HasInOrder(words(
                    {"-U__CUDA_ARCH_LIST__", "-D__CUDA_ARCH_LIST__=750,900"})))
        << number;
}

TEST_F(CudaPlanTest, other_libraries_of_cuda_are_ours) {
  const auto link =
      step("gpucc a.cu -lcurand -lcublas -lcublasLt -lcufft -lcusolver "
           "-lnvidia-ml -lculibos -lnvToolsExt -lm",
           3);
  EXPECT_THAT(link,
              HasInOrder(words({"-l:libcurand.so.10", "-l:libcublas.so.12",
                                "-l:libcublasLt.so.12", "-l:libcufft.so.11",
                                "-l:libcusolver.so.11", "-l:libnvidia-ml.so.1",
                                "-lm"})));
  EXPECT_THAT(link, Not(Contains("-lculibos")));
  EXPECT_THAT(link, Not(Contains("-lnvToolsExt")));
}

TEST_F(CudaPlanTest, processors) {
  const std::string line =
      "gpucc -c -gencode arch=compute_75,code=sm_75 -gencode "
      "arch=compute_86,code=[sm_86,compute_86] a.cu";
  EXPECT_THAT(programs_of(line),
              ElementsAre("clang-22", "clang-22", "gpucc-fatbin", "clang-22"));
  machine.add_cuda("/usr/local/cuda");
  EXPECT_THAT(programs_of(line),
              ElementsAre("clang-22", "clang-22", "ptxas", "ptxas",
                          "gpucc-fatbin", "clang-22"));
  EXPECT_THAT(step(line, 4),
              HasInOrder(words({"cubin,75," + TEMPORARY + "/0.sm_75.cubin",
                                "cubin,86," + TEMPORARY + "/0.sm_86.cubin",
                                "ptx,75," + TEMPORARY + "/0.sm_75.ptx",
                                "ptx,86," + TEMPORARY + "/0.sm_86.ptx"})));
  for (const char *option :
       {"-arch=sm_75", "-arch sm_75", "--arch=sm_75", "--cuda-gpu-arch=sm_75",
        "-arch=compute_75", "--gpu-architecture=compute_75", "-march=sm_75"})
    EXPECT_THAT(step(std::string("gpucc -c a.cu ") + option, 0),
                Contains("--cuda-gpu-arch=sm_75"))
        << option;
  EXPECT_THAT(of("gpucc -arch=gfx942 a.cu").error, HasSubstr("gfx942"));
  EXPECT_THAT(of("gpucc -arch=sm_35 a.cu").error, HasSubstr("sm_50"));
  machine.gpu = "sm_90";
  EXPECT_THAT(step("gpucc -arch=native a.cu", 0),
              Contains("--cuda-gpu-arch=sm_90"));
}

TEST_F(CudaPlanTest, where_to_stop) {
  EXPECT_THAT(step("gpucc -c x/a.cu", 2),
              HasInOrder(words({"-c", "-o", "a.o"})));
  EXPECT_THAT(step("gpucc -S a.cu", 2), HasInOrder(words({"-S", "-o", "a.s"})));
  EXPECT_THAT(step("gpucc -ptx a.cu", 0),
              HasInOrder(words({"-S", "-o", "a.ptx"})));
  EXPECT_THAT(programs_of("gpucc -ptx a.cu"), SizeIs(1));
  EXPECT_THAT(step("gpucc -fatbin a.cu", 1)[1], "a.fatbin");
  EXPECT_THAT(step("gpucc -E a.cu", 0), Contains("--cuda-host-only"));
  EXPECT_THAT(programs_of("gpucc -fsyntax-only a.cu"), SizeIs(2));
  EXPECT_THAT(of("gpucc -cubin a.cu").error, StartsWith("-cubin: ptxas"));
  EXPECT_THAT(of("gpucc -c -o x a.cu b.cu").error, StartsWith("-o:"));
}

TEST_F(CudaPlanTest, several_files_and_objects_keep_their_order) {
  const std::string line = "gpucc a.cu x.o b.cpp -lm";
  EXPECT_THAT(programs_of(line), SizeIs(5));
  const auto cpp = step(line, 3);
  EXPECT_THAT(cpp, Not(Contains("--cuda-host-only")));
  EXPECT_THAT(cpp, Contains("b.cpp"));
  EXPECT_THAT(step(line, 4),
              HasInOrder(words({TEMPORARY + "/0.o", "x.o", TEMPORARY + "/1.o",
                                "-lm", "-l:libcudart.so.12"})));
  EXPECT_THAT(programs_of("gpu-nvcc a.o b.o -o prog"), SizeIs(1));
}

TEST_F(CudaPlanTest, options_of_one_compilation) {
  const std::string line = "gpucc -Xcompiler -fPIC,-Wall -use_fast_math "
                           "-lineinfo -fmad=false a.cu -c";
  EXPECT_THAT(step(line, 2), Contains("-fPIC"));
  EXPECT_THAT(step(line, 0), Not(Contains("-fPIC")));
  EXPECT_THAT(step(line, 0), Contains("-fgpu-approx-transcendentals"));
  EXPECT_THAT(step(line, 0), Contains("-gline-tables-only"));
  // The last of several -ffp-contract= counts.
  EXPECT_THAT(step(line, 0),
              HasInOrder(words({"-nvptx-prec-sqrtf32=0", "-gline-tables-only",
                                "-ffp-contract=off"})));
  EXPECT_THAT(step(line, 2), Not(Contains("-fgpu-approx-transcendentals")));
  EXPECT_THAT(step("gpucc -c a.cu", 0), Contains("-O2"));
  EXPECT_THAT(step("gpucc -c -O0 a.cu", 0), Not(Contains("-O2")));
  EXPECT_THAT(step("gpucc -G -c a.cu", 0), HasInOrder(words({"-g", "-O0"})));
  EXPECT_THAT(step("gpucc -c -MD -MF d a.cu", 0), Not(Contains("-MD")));
  EXPECT_THAT(step("gpucc -c -MD -MF d a.cu", 2),
              HasInOrder(words({"-MD", "-MF", "d"})));
}

TEST_F(CudaPlanTest, libraries_of_cuda_are_ours) {
  const auto link = step("gpucc a.cu -lcuda -lcudart_static -lcudadevrt", 3);
  EXPECT_THAT(link, Contains("-l:libcuda.so.1"));
  EXPECT_THAT(link, Not(Contains("-lcudart_static")));
  EXPECT_THAT(link, Not(Contains("-lcudadevrt")));
  EXPECT_THAT(step("gpucc -cudart none a.cu", 3),
              Not(Contains("-l:libcudart.so.12")));
  const std::string shared = "gpucc -shared a.cu -o liba.so";
  EXPECT_THAT(step(shared, 2), Contains("-fPIC"));
  EXPECT_THAT(step(shared, 3), Contains("-shared"));
}

TEST_F(CudaPlanTest, what_is_refused_says_what_to_do) {
  for (const char *option :
       {"-dlto", "-cudart static", "-keep", "-default-stream per-thread",
        "-m32", "--emit-ptx", "-run"})
    EXPECT_THAT(of(std::string("gpucc a.cu ") + option).error, HasSubstr(": "))
        << option;
  for (const char *option :
       {"-rdc=true", "-rdc false", "-dc", "-cudart shared",
        "--expt-relaxed-constexpr", "--extended-lambda", "-ccbin g++", "-m64",
        "--threads 4", "-Xptxas -v", "-diag-suppress=20012"})
    EXPECT_EQ(of(std::string("gpucc a.cu ") + option).error, "") << option;
  EXPECT_THAT(of("gpucc a.cu -o").error, "-o: needs a value");
}

TEST_F(CudaPlanTest, device_code_is_linked_when_it_runs) {
  for (const char *line : {"gpucc -dc a.cu", "gpucc -rdc=true -c a.cu"})
    EXPECT_THAT(step(line, 1), Contains("--relocatable")) << line;
  for (const char *line : {"gpucc -c a.cu", "gpucc -rdc=false -c a.cu"})
    EXPECT_THAT(step(line, 1), Not(Contains("--relocatable"))) << line;
  EXPECT_THAT(of("gpucc -rdc=maybe a.cu").error, HasSubstr("true or false"));
  EXPECT_EQ(of("gpucc -dc a.cu").steps.size(), 3u);
  EXPECT_THAT(step("gpucc -dc a.cu", 2), Contains("a.o"));
  const std::string link = "gpu-nvcc -dlink a.o b.o -o d.o";
  EXPECT_EQ(of(link).steps.size(), 1u);
  EXPECT_THAT(step(link, 0), Contains("d.o"));
  EXPECT_THAT(step(link, 0), Not(Contains("a.o")));
}

TEST_F(CudaPlanTest, what_is_missing_has_a_name) {
  machine.missing = {std::string(ROOT) + "/cuda/libcudart.so.12"};
  EXPECT_THAT(of("gpucc a.cu").error, HasSubstr("libcudart.so.12"));
  EXPECT_EQ(of("gpucc -c a.cu").error, "");
  EXPECT_EQ(of("gpucc --dry-run a.cu").error, "");
  EXPECT_TRUE(of("gpucc --dry-run a.cu").dry_run);
  machine.missing = {std::string(ROOT) + "/cuda/math.bc"};
  EXPECT_THAT(of("gpucc -c a.cu").error, HasSubstr("math.bc"));
  EXPECT_EQ(of("gpu-nvcc -O2").error, "no input files");
}

} // namespace
