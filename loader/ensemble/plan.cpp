//===-- loader/ensemble/plan.cpp - See plan.h -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/ensemble/plan.h"
#include "loader/ensemble/inputs.h"
#include "loader/ensemble/words.h"
#include "support/failure.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuexec::ensemble {
namespace {

/// The text of a template that check() has tried with all instances.
std::string fill(const Template &text, const Instance &instance,
                 unsigned slot) {
  return llvm::cantFail(text.fill(instance, slot));
}

llvm::Error parse_option(llvm::StringRef option, const std::string &text,
                         std::optional<Template> &to) {
  if (text.empty())
    return llvm::Error::success();
  llvm::Expected<Template> parsed = Template::parse(text);
  if (!parsed)
    return failure(Reason::failed, "{0}: {1}", option,
                   llvm::toString(parsed.takeError()));
  to = std::move(*parsed);
  return llvm::Error::success();
}

} // namespace

llvm::Error Plan::parse(const EnsembleOptions &ensemble,
                        llvm::ArrayRef<std::string> words) {
  llvm::Expected<Arguments> arguments = Arguments::parse(words);
  if (!arguments)
    return arguments.takeError();
  own_arguments = std::move(*arguments);
  if (llvm::Error error =
          parse_option("--workdir", ensemble.working_directory, own_directory))
    return error;
  if (llvm::Error error = parse_option("--input", ensemble.input, own_input))
    return error;
  const std::vector<std::string> &environment = options->job.environment;
  for (llvm::StringRef given : options->environment) {
    const auto entry = llvm::find(environment, given);
    std::optional<Template> text;
    if (llvm::Error error = parse_option("--env", given.str(), text))
      return error;
    if (entry != environment.end())
      variables.emplace_back(entry - environment.begin(), std::move(*text));
  }
  return llvm::Error::success();
}

llvm::Error Plan::check() const {
  std::vector<const Template *> texts;
  for (const std::optional<Template> *text : {&own_directory, &own_input})
    if (*text)
      texts.push_back(&**text);
  for (const auto &[entry, text] : variables)
    texts.push_back(&text);
  for (const Instance &instance : all) {
    if (llvm::Error error = own_arguments.fill(instance, 1).takeError())
      return error;
    for (const Template *text : texts)
      if (llvm::Error error = text->fill(instance, 1).takeError())
        return error;
  }
  return llvm::Error::success();
}

llvm::Expected<Plan> Plan::make(const RunOptions &options) {
  Plan plan(options);
  const EnsembleOptions &ensemble = options.ensemble;
  llvm::Expected<Inputs> inputs =
      read_inputs(ensemble.file, options.job.arguments);
  if (!inputs)
    return inputs.takeError();
  plan.all = std::move(inputs->instances);
  if (llvm::Error error = plan.parse(ensemble, inputs->arguments))
    return std::move(error);
  if (llvm::Error error = plan.check())
    return std::move(error);
  return plan;
}

std::vector<std::string> Plan::arguments(const Instance &instance,
                                         unsigned slot) const {
  return llvm::cantFail(own_arguments.fill(instance, slot));
}

std::vector<std::string> Plan::environment(const Instance &instance,
                                           unsigned slot) const {
  std::vector<std::string> environment = options->job.environment;
  for (const auto &[entry, text] : variables)
    environment[entry] = fill(text, instance, slot);
  return environment;
}

std::string Plan::directory(const Instance &instance, unsigned slot) const {
  return own_directory ? fill(*own_directory, instance, slot) : "";
}

std::string Plan::input(const Instance &instance, unsigned slot) const {
  return own_input ? fill(*own_input, instance, slot) : "";
}

std::string Plan::command(const Instance &instance, unsigned slot) const {
  std::vector<std::string> words = {options->job.image};
  llvm::append_range(words, arguments(instance, slot));
  return quote_words(words);
}

} // namespace gpuexec::ensemble
