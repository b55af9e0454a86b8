//===-- rpc/server/sequence.h - What an opcode exchanges --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sequences of rpc/protocol/opcodes.def as values. The text of an entry is
// parsed by the compiler; an entry that breaks the notation does not compile.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_SEQUENCE_H
#define GPUEXEC_RPC_SERVER_SEQUENCE_H

#include "rpc/protocol/protocol.h"
#include <iterator>
#include <string_view>

namespace gpuexec::rpc {

/// Makes compilation fail with `why` near the error: it is not constexpr, so a
/// constant expression that calls it does not compile.
void sequence_error(const char *why);

/// A short text inside the object: the table of opcodes then has no pointers
/// that the dynamic linker must relocate at each start.
template <unsigned CAPACITY> class ShortText {
public:
  constexpr ShortText() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a text is given as it is
  constexpr ShortText(std::string_view text) {
    if (text.size() > CAPACITY)
      sequence_error("a shorter name");
    size = uint8_t(text.size());
    for (size_t i = 0; i < text.size(); ++i)
      characters[i] = text[i];
  }
  // NOLINTNEXTLINE(google-explicit-constructor): used wherever a text is
  constexpr operator std::string_view() const {
    return {characters, size};
  }
  constexpr bool operator==(std::string_view other) const {
    return std::string_view(*this) == other;
  }

private:
  char characters[CAPACITY] = {};
  uint8_t size = 0;
};
using Name = ShortText<14>;

/// A named word of a packet, or several that hold a string.
struct Field {
  /// The role of a word, which decides how a journal notes its value. Computed
  /// from the name once, because comparing names for each call would take
  /// longer than noting the value.
  enum class Role : uint8_t { number, text, address, stream, unused };

  Name name; ///< "_": not used
  Role role = Role::number;
  uint8_t word = 0; ///< index in the packet of its first word
  uint8_t words = 1;
  bool is_text = false;
  bool zero_on_error = false; ///< a result is 0 after an error, else -1
};

/// One packet, stream or object that one side sends.
struct Step {
  enum class Kind : uint8_t { packet, text, bytes, record };
  static constexpr unsigned MAX_FIELDS = 7;

  bool by_client = false;
  bool repeated = false; ///< any number of times
  Kind kind = Kind::packet;
  Name name; ///< of a stream or an object
  Field fields[MAX_FIELDS];
  uint8_t field_count = 0;

  constexpr bool is_stream() const {
    return kind == Kind::text || kind == Kind::bytes;
  }
  /// Number of words of the packet up to the last named field.
  constexpr unsigned words() const {
    return field_count
               ? fields[field_count - 1].word + fields[field_count - 1].words
               : 0;
  }
  constexpr bool is_empty() const {
    return kind == Kind::packet && !field_count;
  }
};

/// The steps of a call. The *request* consists of the steps before the server's
/// first step with content. In a plain sequence all steps behind it are the
/// server's: the *answer*.
struct Sequence {
  static constexpr unsigned MAX_STEPS = 12;
  static constexpr unsigned NONE = ~0u;

  Step steps[MAX_STEPS];
  unsigned count = 0;

  constexpr unsigned request_steps() const {
    unsigned end = 0;
    while (end < count && !steps[end].repeated &&
           (steps[end].by_client || steps[end].is_empty()))
      ++end;
    return end;
  }
  /// Whether the call consists of a request and an answer alone.
  constexpr bool is_plain() const {
    for (unsigned i = request_steps(); i < count; ++i)
      if (steps[i].by_client || steps[i].repeated)
        return false;
    return true;
  }
  constexpr bool has_answer() const { return request_steps() < count; }

  /// Number of words in all packets of the request, and of its streams.
  constexpr unsigned request_words() const {
    unsigned sum = 0;
    for (unsigned i = 0; i < request_steps(); ++i)
      sum += steps[i].by_client ? steps[i].words() : 0;
    return sum;
  }
  constexpr unsigned request_streams() const {
    unsigned sum = 0;
    for (unsigned i = 0; i < request_steps(); ++i)
      sum += steps[i].is_stream();
    return sum;
  }

  /// An input of the request: a field or a stream, and its place among those of
  /// its kind.
  struct Input {
    bool is_stream;
    Field field;
    unsigned place;
  };
  /// The first input for which matches(number, name) is true; without one the
  /// sequence does not compile.
  template <typename F> constexpr Input find(F matches) const {
    unsigned number = 0, words = 0, streams = 0;
    for (unsigned i = 0; i < request_steps(); ++i) {
      const Step &step = steps[i];
      if (step.is_stream()) {
        if (matches(number++, step.name))
          return {true, {}, streams};
        ++streams;
        continue;
      }
      for (unsigned k = 0; k < step.field_count; ++k)
        if (step.fields[k].name != "_" &&
            matches(number++, step.fields[k].name))
          return {false, step.fields[k], words + step.fields[k].word};
      words += step.by_client ? step.words() : 0;
    }
    sequence_error("the request has no such input");
    return {};
  }
  /// The input with a number, counted without unused fields; or with a name.
  constexpr Input input(unsigned wanted) const {
    return find(
        [&](unsigned number, std::string_view) { return number == wanted; });
  }
  constexpr Input input(std::string_view wanted) const {
    return find(
        [&](unsigned, std::string_view name) { return name == wanted; });
  }
  constexpr unsigned inputs() const {
    unsigned sum = 0;
    for (unsigned i = 0; i < request_steps(); ++i)
      if (steps[i].is_stream())
        ++sum;
      else
        for (unsigned k = 0; k < steps[i].field_count; ++k)
          sum += steps[i].fields[k].name != "_";
    return sum;
  }

  /// The index of the step that carries result and errno: the server's last
  /// packet. NONE when the server sends no packet behind the request.
  constexpr unsigned reply_step() const {
    for (unsigned i = count; i-- > request_steps();)
      if (!steps[i].by_client && steps[i].kind == Step::Kind::packet)
        return i;
    return NONE;
  }
  /// The value of the result after an error.
  constexpr int64_t error_value() const {
    unsigned reply = reply_step();
    return reply != NONE && steps[reply].fields[0].zero_on_error ? 0 : -1;
  }
};

namespace detail {

/// Reads the notation of opcodes.def.
class SequenceParser {
public:
  consteval explicit SequenceParser(std::string_view text) : text(text) {}

  consteval Sequence parse() {
    Sequence sequence;
    do
      sequence.steps[sequence.count++] = step();
    while (take(", "));
    if (!text.empty() || !sequence.steps[0].by_client)
      sequence_error("expected ', ', or a sequence that the client begins");
    return sequence;
  }

private:
  constexpr bool take(std::string_view word) {
    bool found = text.starts_with(word);
    if (found)
      text.remove_prefix(word.size());
    return found;
  }
  constexpr std::string_view name() {
    size_t size = text.find_first_of("|[],)}");
    if (size == 0 || size == text.npos)
      sequence_error("expected a name");
    std::string_view found = text.substr(0, size);
    text.remove_prefix(size);
    return found;
  }
  constexpr Step step() {
    Step step;
    step.repeated = take("*");
    step.by_client = take("C ");
    if (!step.by_client && !take("S "))
      sequence_error("expected C or S");
    if (take("{")) {
      for (unsigned word = 0; !take("}");) {
        Field &field = step.fields[step.field_count++];
        field = this->field(word);
        word += field.words;
        if (word > RPC_PACKET_WORDS || (!take(", ") && !text.starts_with("}")))
          sequence_error("expected ', ' or '}', and 8 words at most");
      }
      return step;
    }
    step.kind = take("text(")    ? Step::Kind::text
                : take("bytes(") ? Step::Kind::bytes
                                 : Step::Kind::record;
    if (step.kind == Step::Kind::record && !take("record("))
      sequence_error("expected {, text, bytes or record");
    step.name = name();
    if (!take(")"))
      sequence_error("expected ')'");
    return step;
  }
  constexpr Field field(unsigned word) {
    Field field;
    field.name = name();
    field.word = uint8_t(word);
    if (take("[")) {
      field.is_text = true;
      field.words = uint8_t(name()[0] - '0');
      if (!take("]"))
        sequence_error("expected one digit and ']'");
    }
    field.zero_on_error = take("|0");
    field.role = field.name == "_"         ? Field::Role::unused
                 : field.name == "address" ? Field::Role::address
                 : field.name == "stream"  ? Field::Role::stream
                 : field.is_text           ? Field::Role::text
                                           : Field::Role::number;
    return field;
  }

  std::string_view text;
};

} // namespace detail

/// One entry of opcodes.def.
struct OpcodeInfo {
  uint32_t opcode;
  ShortText<31> name;
  uint32_t feature; ///< RPC_FEATURE_...
  Sequence sequence;
};

inline constexpr OpcodeInfo OPCODES[] = {
#define RPC_OPCODE(NAME, VALUE, FEATURE, SEQUENCE)                             \
  {VALUE, std::string_view(#NAME), RPC_FEATURE_##FEATURE,                      \
   detail::SequenceParser(SEQUENCE).parse()},
#include "rpc/protocol/opcodes.def"
};

consteval const Sequence &find_sequence(uint32_t opcode) {
  for (const OpcodeInfo &info : OPCODES)
    if (info.opcode == opcode)
      return info.sequence;
  sequence_error("opcodes.def has no such opcode");
  return OPCODES[0].sequence;
}
template <rpc_opcode CODE>
inline constexpr const Sequence &sequence_of = find_sequence(CODE);

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_SEQUENCE_H
