//===-- replay/recorder/recorder.cpp - Records a run ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/recorder/recorder.h"
#include "loader/program/contract.h"
#include "replay/recorder/facts.h"

namespace gpuexec::record {

std::string kind_name(Result::Kind kind) {
  switch (kind) {
  case Result::Kind::exited:
    return "exited";
  case Result::Kind::signalled:
    return "signalled";
  case Result::Kind::faulted:
    return "faulted";
  case Result::Kind::timed_out:
    return "timed out";
  case Result::Kind::not_found:
  case Result::Kind::refused:
  case Result::Kind::failed:
    return "failed";
  }
  return "failed";
}

static llvm::Error to_failure(llvm::Error error) {
  return error ? failure(Reason::failed, "--record: {0}",
                         llvm::toString(std::move(error)))
               : llvm::Error::success();
}

llvm::Expected<std::shared_ptr<Recorder>>
Recorder::create(UniqueFd file, const std::string &path, const Job &job,
                 llvm::StringRef executable) {
  llvm::Expected<std::unique_ptr<RecordingWriter>> writer =
      RecordingWriter::create(std::move(file), path, executable);
  if (!writer)
    return to_failure(writer.takeError());
  return std::shared_ptr<Recorder>(
      new Recorder(std::move(*writer), facts_of(job)));
}

llvm::Error Recorder::opened(const Device &device, const Image &image) {
  llvm::Expected<Contract> contract =
      find_contract(image, Constructors::automatic, {});
  if (!contract)
    llvm::consumeError(contract.takeError()); // the job reports it
  else if (contract->gcc_main)
    return failure(Reason::failed,
                   "--record: {0}: a program of GCC's, which asks its host by "
                   "other means than calls",
                   image.name());
  add_device(facts, device.info(), image);
  this->image = image.bytes();
  is_open = true;
  return llvm::Error::success();
}

void Recorder::loaded(const Program &program) {
  add_launches(facts, program);
  begin();
}

/// Writes facts and image, which come first in the file.
void Recorder::begin() {
  if (begun.exchange(true))
    return;
  writer->begin(facts, image);
  image = {};
}

void Recorder::served(const rpc::CallNotes &call, Turn turn) {
  writer->call({call.opcode, call.caller, call.mask, call.addresses,
                call.request, call.answer, call.number, call.step},
               std::move(turn));
}

uint64_t Recorder::waited(uint64_t step, uint64_t ticks) {
  if (ticks)
    writer->waited({step, ticks});
  return ticks;
}

void Recorder::halted(uint64_t step) { writer->halted(step); }

void Recorder::output(int stream, llvm::StringRef bytes) {
  writer->output(stream, bytes);
}

llvm::Error Recorder::finish(RecordedEnd end) {
  if (!is_open || finished.exchange(true))
    return llvm::Error::success();
  begin(); // if the image could not be loaded
  return to_failure(writer->finish(std::move(end)));
}

llvm::Error Recorder::finish(const Result &result) {
  return finish({kind_name(result.kind), result.value, result.message});
}

llvm::Error Recorder::finish_by_signal(int signal) {
  return finish({"stopped", signal, {}});
}

} // namespace gpuexec::record
