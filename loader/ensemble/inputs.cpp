//===-- loader/ensemble/inputs.cpp - See inputs.h -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/ensemble/inputs.h"
#include "loader/ensemble/words.h"
#include "support/failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace gpuexec::ensemble {
namespace {

constexpr size_t MOST_INSTANCES = 10'000'000;

/// One element for each line or word; its number is not set.
using Source = std::vector<Instance>;

llvm::Error read_lines(const std::string &file, Source &to) {
  auto bytes = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (!bytes)
    return failure(Reason::failed, "{0}: {1}", file,
                   bytes.getError().message());
  llvm::StringRef text = (*bytes)->getBuffer();
  if (text.contains('\0'))
    return failure(Reason::failed, "{0}: is no text: it has a zero byte", file);
  for (size_t number = 1; !text.empty(); ++number) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    const std::string origin = file + ":" + std::to_string(number);
    llvm::Expected<std::vector<std::string>> words = split_words(line);
    if (!words)
      return failure(Reason::failed, "{0}: {1}", origin,
                     llvm::toString(words.takeError()));
    if (!words->empty())
      to.push_back({0, std::move(*words), origin});
  }
  if (to.empty())
    return failure(Reason::failed, "{0}: has no command line", file);
  return llvm::Error::success();
}

/// A list of the command line: its mark, then words.
struct List {
  llvm::StringRef mark;
  llvm::ArrayRef<std::string> words;
};

bool is_mark(llvm::StringRef word) {
  return word == ":::" || word == ":::+" || word == "::::";
}

llvm::Expected<Source> read_list(const List &list) {
  Source source;
  if (list.words.empty())
    return failure(Reason::failed, "'{0}': nothing follows it", list.mark);
  for (const std::string &word : list.words) {
    if (list.mark != "::::")
      source.push_back({0, {word}, list.mark.str()});
    else if (llvm::Error error = read_lines(word, source))
      return std::move(error);
  }
  return source;
}

void append_words(Instance &to, const Instance &from) {
  llvm::append_range(to.words, from.words);
  to.origin += " " + from.origin;
}

/// Adds the elements of `next` to those of `to` that they belong to.
llvm::Error link(Source &to, const Source &next) {
  if (to.size() != next.size())
    return failure(Reason::failed,
                   "':::+' has {0} words for the {1} of the list before it",
                   next.size(), to.size());
  for (size_t i = 0; i < to.size(); ++i)
    append_words(to[i], next[i]);
  return llvm::Error::success();
}

llvm::Expected<Source> combine(const Source &slow, const Source &fast) {
  if (fast.size() > MOST_INSTANCES / slow.size())
    return failure(Reason::failed,
                   "the lists make more than {0} instances: {1} times {2}",
                   MOST_INSTANCES, slow.size(), fast.size());
  Source all;
  for (const Instance &first : slow)
    for (const Instance &second : fast)
      append_words(all.emplace_back(first), second);
  return all;
}

/// Splits the words behind the image into arguments and lists.
llvm::ArrayRef<std::string> take_lists(llvm::ArrayRef<std::string> words,
                                       std::vector<List> &lists) {
  const auto first = llvm::find_if(words, is_mark);
  const llvm::ArrayRef<std::string> arguments(words.begin(), first);
  for (auto at = first; at != words.end();) {
    const auto end = std::find_if(at + 1, words.end(), is_mark);
    lists.push_back({*at, {at + 1, end}});
    at = end;
  }
  return arguments;
}

} // namespace

llvm::Expected<Inputs> read_inputs(const std::string &file,
                                   llvm::ArrayRef<std::string> words) {
  std::vector<List> lists;
  Inputs inputs;
  inputs.arguments = take_lists(words, lists).vec();
  std::vector<Source> sources;
  if (!file.empty() || lists.empty())
    if (llvm::Error error =
            read_lines(file.empty() ? "-" : file, sources.emplace_back()))
      return std::move(error);
  for (const List &list : lists) {
    llvm::Expected<Source> source = read_list(list);
    if (!source)
      return source.takeError();
    const bool links = list.mark == ":::+";
    if (links && sources.empty())
      return failure(Reason::failed, "':::+': no list is before it");
    if (!links)
      sources.push_back(std::move(*source));
    else if (llvm::Error error = link(sources.back(), *source))
      return std::move(error);
  }
  inputs.instances = std::move(sources.front());
  for (const Source &source : llvm::drop_begin(sources)) {
    llvm::Expected<Source> all = combine(inputs.instances, source);
    if (!all)
      return all.takeError();
    inputs.instances = std::move(*all);
  }
  for (size_t i = 0; i < inputs.instances.size(); ++i)
    inputs.instances[i].number = i + 1;
  return inputs;
}

} // namespace gpuexec::ensemble
