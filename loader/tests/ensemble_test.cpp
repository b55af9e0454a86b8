//===-- loader/tests/ensemble_test.cpp - Words, placeholders, lists -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/ensemble/inputs.h"
#include "loader/ensemble/words.h"
#include <gmock/gmock.h>

using namespace gpuexec::ensemble;
using testing::ElementsAre;

using Words = std::vector<std::string>;

/// The words of the result, or one word: its error.
static Words words_of(llvm::Expected<Words> result) {
  return result ? *result : Words{llvm::toString(result.takeError())};
}

TEST(EnsembleWords, AreSplitAsAShellDoes) {
  EXPECT_EQ(words_of(split_words("  a\tb  ")), (Words{"a", "b"}));
  EXPECT_EQ(words_of(split_words("'a b'\"c d\"\\ e")), (Words{"a bc d e"}));
  EXPECT_EQ(words_of(split_words("\"\\\"\\\\\\$\\x\"")), (Words{"\"\\$\\x"}));
  EXPECT_EQ(words_of(split_words("'' \"\"")), (Words{"", ""}));
}

TEST(EnsembleWords, CommentsBeginAWord) {
  EXPECT_EQ(words_of(split_words("# all")), (Words{}));
  EXPECT_EQ(words_of(split_words("a#b c # d")), (Words{"a#b", "c"}));
}

TEST(EnsembleWords, OpenQuotesAreErrors) {
  EXPECT_EQ(words_of(split_words("a 'b")),
            (Words{"a quotation that ' begins is not closed"}));
  EXPECT_EQ(words_of(split_words("a \\")),
            (Words{"nothing follows the last backslash"}));
}

TEST(EnsembleWords, QuotedWordsAreSplitIntoTheSame) {
  const Words words = {"plain-1.5", "two words", "it's", "\"", "$x*", "", "#"};
  EXPECT_EQ(words_of(split_words(quote_words(words))), words);
  EXPECT_EQ(quote_words({"a\nb"}), "$'a\\x0Ab'");
}

static std::string filled(llvm::StringRef text, const Instance &instance) {
  llvm::Expected<Template> parsed = Template::parse(text);
  if (!parsed)
    return llvm::toString(parsed.takeError());
  llvm::Expected<std::string> result = parsed->fill(instance, /*slot=*/4);
  return result ? *result : llvm::toString(result.takeError());
}

TEST(EnsembleTemplate, Placeholders) {
  const Instance instance = {7, {"dir/a.tar.gz", "b"}, "file:9"};
  EXPECT_EQ(filled("{}", instance), "dir/a.tar.gz b");
  EXPECT_EQ(filled("{1}-{2}-{-1}-{-2}", instance),
            "dir/a.tar.gz-b-b-dir/a.tar.gz");
  EXPECT_EQ(filled("{#} {%}", instance), "7 4");
  EXPECT_EQ(filled("{1.} {1/} {1//} {1/.}", instance),
            "dir/a.tar a.tar.gz dir a.tar");
  EXPECT_EQ(filled("{2.} {2/} {2//} {2/.}", instance), "b b . b");
  EXPECT_EQ(filled("{{}} {{1}} {\"a\":1} {a b} {", instance),
            "{} {1} {\"a\":1} {a b} {");
  EXPECT_EQ(filled("{3}", instance),
            "instance 7 (file:9): {3} asks for more than 2 words");
  for (const char *text :
       {"{x}", "{0}", "{1..}", "{-}", "{##}", "{99999999999}"})
    EXPECT_TRUE(llvm::StringRef(filled(text, instance))
                    .starts_with("unknown placeholder '" + std::string(text)))
        << text;
}

TEST(EnsembleTemplate, WordsComeLastWithoutAPlaceholder) {
  const Instance instance = {1, {"a", "b"}, "file:1"};
  const std::pair<Words, Words> cases[] = {
      {{"x"}, {"x", "a", "b"}},
      {{"{}", "x"}, {"a", "b", "x"}},
      {{"x{}"}, {"xa b"}},
      {{"{#}"}, {"1"}},
  };
  for (const auto &[texts, expected] : cases) {
    llvm::Expected<Arguments> arguments = Arguments::parse(texts);
    ASSERT_TRUE(bool(arguments));
    EXPECT_EQ(words_of(arguments->fill(instance, 1)), expected);
  }
}

TEST(EnsembleInputs, ListsAreCombined) {
  llvm::Expected<Inputs> inputs = read_inputs(
      "", (Words{"x", ":::", "a", "b", ":::", "1", "2", ":::+", "3", "4"}));
  ASSERT_TRUE(bool(inputs));
  EXPECT_THAT(inputs->arguments, ElementsAre("x"));
  ASSERT_EQ(inputs->instances.size(), 4u);
  EXPECT_THAT(inputs->instances[0].words, ElementsAre("a", "1", "3"));
  EXPECT_THAT(inputs->instances[3].words, ElementsAre("b", "2", "4"));
  EXPECT_EQ(inputs->instances[3].number, 4u);
}

TEST(EnsembleInputs, TooManyAreAnError) {
  Words words;
  for (int list = 0; list < 3; ++list) {
    words.push_back(":::");
    words.insert(words.end(), 1000, "x");
  }
  EXPECT_EQ(llvm::toString(read_inputs("", words).takeError()),
            "the lists make more than 10000000 instances: 1000000 times 1000");
}
