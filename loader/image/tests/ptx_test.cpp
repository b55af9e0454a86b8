//===-- loader/image/tests/ptx_test.cpp - Declarations of PTX -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test_images.h"

using namespace gpuexec;

TEST(Ptx, Declarations) {
  Loaded loaded = parse("bounds.ptx");
  const Image &image = loaded.only();
  EXPECT_EQ(image.format(), Image::Format::ptx);
  EXPECT_EQ(image.arch(), "sm_75");
  EXPECT_EQ(image.abi_version(), 75u);
  EXPECT_EQ(image.bytes().end()[0], '\0');
  ASSERT_EQ(image.kernels().size(), 2u);

  const Kernel *kernel = image.find_kernel("kernel");
  ASSERT_TRUE(kernel);
  ASSERT_EQ(kernel->arguments.size(), 3u);
  EXPECT_EQ(kernel->arguments[0].name, "flag");
  EXPECT_EQ(kernel->arguments[0].size, 1u);
  EXPECT_EQ(kernel->arguments[1].offset, 8u);
  EXPECT_EQ(kernel->arguments[1].size, 20u);
  EXPECT_EQ(kernel->arguments[2].offset,
            32u); // the pointee's alignment is not the parameter's
  EXPECT_EQ(kernel->arguments_size, 40u);
  EXPECT_EQ(kernel->max_threads, 128u);
  // Its own 32 bytes, 16 of the function that it calls, 40 at file scope that
  // the function uses: as ptxas counts.
  EXPECT_EQ(kernel->shared_size, 88u);
  EXPECT_FALSE(kernel->resources.vgprs);

  const Kernel *exact = image.find_kernel("exact");
  EXPECT_EQ(exact->required_block[0], 32u);
  EXPECT_EQ(exact->required_block[1], 1u);
  EXPECT_EQ(exact->max_threads, 32u);
  EXPECT_EQ(exact->shared_size, 0u);

  EXPECT_EQ(image.rpc_client()->size, 552u);
  EXPECT_EQ(image.find_global("grid")->size, 96u);
  EXPECT_EQ(image.find_global("table")->size, 12u);
  EXPECT_EQ(image.find_global("table")->space, Global::Space::constant);
  EXPECT_FALSE(image.find_global("hidden")->visible);
  EXPECT_FALSE(image.find_global("dynamic")->defined);
  EXPECT_EQ(image.find_global("dynamic")->size, 0u);
  ASSERT_EQ(image.constructors().size(), 2u);
  EXPECT_EQ(image.constructors()[0].symbol,
            "__init_array_object_first_abc_101");
  EXPECT_EQ(image.destructors()[0].priority, 300u);
  EXPECT_EQ(image.functions().size(), 2u);
}

TEST(Ptx, FromClang) {
  Loaded loaded = parse("program.ptx");
  const Image &image = loaded.only();
  const Kernel *start = image.find_kernel("_start");
  ASSERT_TRUE(start);
  EXPECT_EQ(start->arguments_size, 32u);
  EXPECT_EQ(start->shared_size, 132u);
  EXPECT_EQ(image.find_kernel("_begin")->arguments_size, 24u);
  EXPECT_EQ(image.find_kernel("_end")->arguments_size, 0u);
  EXPECT_EQ(image.constructors().size(), 2u);
  EXPECT_EQ(image.rpc_client()->size, 552u);
}

TEST(Ptx, CommentsBeforeTheVersion) {
  EXPECT_EQ(parse_text("// one\n/* two */ .version 8.3\n.target sm_90a\n")
                .only()
                .arch(),
            "sm_90a");
  // Containers pad with zero bytes.
  EXPECT_EQ(
      parse_text(llvm::StringRef(".version 8.3\n.target sm_90\n\0\0\0", 31))
          .only()
          .arch(),
      "sm_90");
}

TEST(Ptx, MistakesHaveLines) {
  EXPECT_EQ(refusal(".version 7.0\n.address_size 64\n"),
            "file: PTX without a .target directive");
  EXPECT_EQ(refusal(".version seven\n"),
            "file: line 1: 'seven' where a version such as 7.0 was expected");
  EXPECT_EQ(refusal(".version 7.0\n.target gpu_7\n.target sm_x\n"),
            "file: line 3: 'sm_x' where a target such as sm_70 was expected");
  EXPECT_EQ(refusal(".version 7.0\n.target sm_70\n.address_size 32\n"),
            "file: PTX with 32-bit addresses: not supported");
  EXPECT_EQ(refusal(".version 7.0\n.target sm_70\nvoid f();\n"),
            "file: line 3: 'void' where a directive was expected");
  EXPECT_EQ(
      refusal(
          ".version 7.0\n.target sm_70\n.visible .entry f(.param .u32)\n{}"),
      "file: line 3: ')' where a variable's name was expected");
  EXPECT_EQ(
      refusal(".version 7.0\n.target sm_70\n.visible .entry f()\n{ ret;\n"),
      "file: line 5: the text ends where '}' was expected");
  EXPECT_EQ(refusal(".version 7.0\n.target sm_70\n.entry f() { ret; }\n.entry "
                    "f() { ret; }\n"),
            "file: line 4: 'f' is defined twice");
  EXPECT_EQ(
      refusal(
          ".version 7.0\n.target sm_70\n.global .b8 a[0xffffffffffffffff];\n"),
      "file: line 3: variable 'a' is too large");
  EXPECT_EQ(refusal(".version 7.0\n.target sm_70\n.global .b8 "
                    "a[1000000][1000000][1000000];\n"),
            "file: line 3: variable 'a' is too large");
  EXPECT_EQ(refusal(".version 7.0\n.target sm_70\n.global .align 3 .b8 a;\n"),
            "file: line 3: alignment 3 is no power of two");
  EXPECT_EQ(refusal(".version 7.0\n.target sm_70\n/* no end"),
            "file: line 3: a comment without an end");
  EXPECT_EQ(refusal(".version 7.0\n.target sm_70\n\x01"),
            "file: line 3: a byte that is not text");
  EXPECT_EQ(refusal(".version 7.0\n.target sm_70\n.visible .const .u64 "
                    "__init_array_object_f_70000 = 1;\n"),
            "file: '__init_array_object_f_70000': the priority after the last "
            "underscore is no 16-bit number");
}

// nvptx-none-ld writes its inputs one behind the other, each with a zero byte.
TEST(Ptx, ModulesToBeLinked) {
  const std::string head = ".version 6.0\n.target sm_30\n.address_size 64\n";
  const std::string text =
      head +
      ".visible .entry __main (.param .u64 a, .param .u32 b, .param "
      ".u64 c);\n.func same() { ret; }\n.visible .entry __main (.param "
      ".u64 a, .param .u32 b, .param .u64 c) { ret; }\n" +
      std::string(1, '\0') + " // BEGIN PREAMBLE\n" + head +
      ".func same() { ret; }\n" + std::string(2, '\0');
  llvm::Expected<Image> image =
      Image::parse(llvm::MemoryBufferRef(text, "file"));
  ASSERT_TRUE(bool(image)) << llvm::toString(image.takeError());
  EXPECT_EQ(image->module_count(), 2u);
  ASSERT_TRUE(image->find_kernel("__main"));
  EXPECT_EQ(image->find_kernel("__main")->arguments_size, 24u);
  EXPECT_EQ(refusal(head + std::string(1, '\0') + ".func f() { ret; }\n"),
            "file: line 4: '.func' where '.version' after a zero byte was "
            "expected");
  EXPECT_EQ(refusal(head + ".func f() { ret; }\n.func f() { ret; }\n"),
            "file: line 5: 'f' is defined twice");
}

// What the two readers say of the same program must agree.
TEST(Ptx, AgreesWithTheCubin) {
  SKIP_WITHOUT_PTXAS();
  Loaded ptx = parse("program.ptx"), cubin = parse("sm_75");
  for (const Kernel &kernel : ptx.only().kernels()) {
    SCOPED_TRACE(kernel.name);
    const Kernel *compiled = cubin.only().find_kernel(kernel.name);
    ASSERT_TRUE(compiled);
    EXPECT_EQ(kernel.shared_size, compiled->shared_size);
    EXPECT_EQ(kernel.arguments_size, compiled->arguments_size);
    EXPECT_EQ(kernel.max_threads, compiled->max_threads);
    ASSERT_EQ(kernel.arguments.size(), compiled->arguments.size());
    for (size_t i = 0; i < kernel.arguments.size(); ++i) {
      EXPECT_EQ(kernel.arguments[i].offset, compiled->arguments[i].offset);
      EXPECT_EQ(kernel.arguments[i].size, compiled->arguments[i].size);
    }
  }
  ASSERT_EQ(ptx.only().constructors().size(),
            cubin.only().constructors().size());
  for (size_t i = 0; i < ptx.only().constructors().size(); ++i)
    EXPECT_EQ(ptx.only().constructors()[i].symbol,
              cubin.only().constructors()[i].symbol);
}
