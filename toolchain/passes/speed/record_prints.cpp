//===-- toolchain/passes/speed/record_prints.cpp - printf without a call --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A printf is a call of the host, because it returns how much it has printed.
// Most programs do not look at that. This pass makes such calls append a record
// to the stream's buffer, which the host formats later
// (libc-shim/stdio/record.h). For a constant format it computes here what the
// program would find out in each call: the number of arguments, which of them
// are strings, and whether the text may end a line. Such a call has as many
// arguments as the C library copies without counting.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include <optional>

using namespace llvm;
using gpuexec::RuntimeGroup;

namespace {

/// Which argument of a format is a string, and at most how much of it is
/// printed.
struct String {
  uint64_t slot, most;
};

/// What the C library wants to know of a format (struct print_layout).
struct Layout {
  uint64_t slots = 0;
  SmallVector<String, gpuexec::PRINT_STRINGS> strings;
  bool newline = false;

  /// The room in the buffer for a record whose format has so many words.
  uint64_t room(uint64_t words) const {
    const bool cut = any_of(strings, [](const String &string) {
      return string.most != gpuexec::PRINT_NO_PRECISION;
    });
    const uint64_t size = 8 * (2 + words + slots);
    return cut || size >= gpuexec::PRINT_MOST ? gpuexec::PRINT_NEVER
                                              : size + 8 * gpuexec::PRINT_WORDS;
  }

  /// Adds the conversion at the start of `text`, behind the '%', and drops it
  /// from `text`. False: the C library has to look at it when the program runs.
  bool add(StringRef &text) {
    text = text.ltrim(" #'+-0");
    text = text.drop_while(isDigit);
    uint64_t most = gpuexec::PRINT_NO_PRECISION;
    if (text.consume_front(".") &&
        (text.take_while(isDigit).empty() ? (most = 0, false)
                                          : text.consumeInteger(10, most)))
      return false;
    const StringRef lengths = text.take_while(
        [](char c) { return StringRef("hlLjztq").contains(c); });
    text = text.drop_front(lengths.size());
    if (text.empty())
      return false;
    const char letter = text.front();
    text = text.drop_front();
    if (letter == '%')
      return true;
    const uint64_t slot = slots++;
    const bool is_wide = lengths.find_first_not_of('h') != StringRef::npos;
    if (letter == 'c') {
      newline = true; // if that is the character
      return !is_wide;
    }
    if (letter != 's')
      return StringRef("diouxXbBfFeEgGaAp").contains(letter);
    strings.push_back({slot, most});
    return !is_wide && strings.size() <= gpuexec::PRINT_STRINGS &&
           most <= gpuexec::PRINT_NO_PRECISION;
  }
};

std::optional<Layout> layout_of(StringRef format) {
  Layout layout;
  layout.newline = format.contains('\n');
  while (true) {
    format = format.drop_until([](char c) { return c == '%'; });
    if (!format.consume_front("%"))
      return layout;
    if (!layout.add(format))
      return std::nullopt;
  }
}

/// Variables with layouts, each once in the module.
class Layouts {
public:
  explicit Layouts(Module &module) : module(module) {}

  /// The address of the layout of the constant `format`, or null: it is not
  /// constant, or the C library has to look at it.
  Constant *of(const Value *format) {
    StringRef text;
    if (!getConstantStringInfo(format, text))
      return nullptr;
    auto [found, is_new] = known.try_emplace(text, nullptr);
    if (is_new)
      if (const std::optional<Layout> layout = layout_of(text))
        found->second = define(text, *layout);
    return found->second;
  }

private:
  Constant *define(StringRef text, const Layout &layout) {
    static_assert(gpuexec::PRINT_FORMAT == 16 + 4 * gpuexec::PRINT_STRINGS,
                  "the members before the format");
    LLVMContext &context = module.getContext();
    Type *const word = Type::getInt32Ty(context),
                *half = Type::getInt16Ty(context),
                *byte = Type::getInt8Ty(context);
    SmallVector<Constant *> members = {
        ConstantInt::get(word, text.size() + 1),
        ConstantInt::get(half, layout.slots),
        ConstantInt::get(byte, layout.strings.size()),
        ConstantInt::get(byte, layout.newline)};
    for (uint64_t i = 0; i < gpuexec::PRINT_STRINGS; ++i) {
      const String string =
          i < layout.strings.size() ? layout.strings[i] : String{0, 0};
      members.push_back(ConstantInt::get(half, string.slot));
      members.push_back(ConstantInt::get(half, string.most));
    }
    const uint64_t words = divideCeil(text.size() + 1, 8);
    members.push_back(ConstantInt::get(word, layout.room(words)));
    members.push_back(ConstantInt::get(
        word, layout.strings.empty() ? 0 : 8 * layout.strings.front().slot));
    std::string padded = text.str();
    padded.resize(8 * std::max<uint64_t>(words, gpuexec::PRINT_WORDS));
    members.push_back(ConstantDataArray::getString(context, padded, false));
    Constant *value = ConstantStruct::getAnon(members);
    const DataLayout &data = module.getDataLayout();
    auto *variable = new GlobalVariable(
        module, value->getType(), /*isConstant=*/true,
        GlobalValue::PrivateLinkage, value, "print.layout", nullptr,
        GlobalValue::NotThreadLocal, data.getDefaultGlobalsAddressSpace());
    variable->setAlignment(Align(16));
    return ConstantExpr::getPointerBitCastOrAddrSpaceCast(
        variable, PointerType::get(context, 0));
  }

  Module &module;
  StringMap<Constant *> known;
};

/// Makes a call of printf or, with `stream` null, of fprintf one of `known`,
/// with the layout in the format's place and at least PRINT_WORDS arguments
/// behind it.
void call_known(CallBase *call, Function *known, Constant *stream,
                Constant *layout) {
  SmallVector<Value *> arguments;
  if (stream)
    arguments.push_back(stream);
  append_range(arguments, call->args());
  arguments[1] = layout;
  while (arguments.size() < 2 + gpuexec::PRINT_WORDS)
    arguments.push_back(PoisonValue::get(Type::getInt64Ty(call->getContext())));
  SmallVector<OperandBundleDef, 1> bundles;
  call->getOperandBundlesAsDefs(bundles);
  FunctionType *const type = known->getFunctionType();
  CallBase *now;
  if (auto *invoke = dyn_cast<InvokeInst>(call))
    now = InvokeInst::Create(type, known, invoke->getNormalDest(),
                             invoke->getUnwindDest(), arguments, bundles, "",
                             call->getIterator());
  else
    now = CallInst::Create(type, known, arguments, bundles, "",
                           call->getIterator());
  now->setCallingConv(call->getCallingConv());
  now->setDebugLoc(call->getDebugLoc());
  call->eraseFromParent();
}

/// The calls of `function` whose result is not used.
SmallVector<CallBase *> unused_calls(Function &function) {
  SmallVector<CallBase *> calls;
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user);
        call && call->getCalledOperand() == &function && call->use_empty() &&
        call->getFunctionType() == function.getFunctionType() &&
        !call->isMustTailCall())
      calls.push_back(call);
  return calls;
}

} // namespace

PreservedAnalyses gpuexec::record_prints(Module &module,
                                         ModuleAnalysisManager &) {
  const ArrayRef<StringRef> names = names_of(RuntimeGroup::print),
                            unused = names_of(RuntimeGroup::print_unused);
  const StringRef known_name = names_of(RuntimeGroup::print_known).front();
  // A program that has a printf of its own lacks those of the C library.
  Function *const known = module.getFunction(known_name);
  GlobalVariable *const standard =
      find_variable(module, RuntimeName::standard_output);
  if (!known || !standard || !standard->hasInitializer())
    return PreservedAnalyses::all();
  Layouts layouts(module);
  for (const auto &[name, record] : zip(names, unused)) {
    Function *print = module.getFunction(name);
    if (!print)
      continue;
    const bool takes_stream = print->getFunctionType()->getNumParams() > 1;
    for (CallBase *call : unused_calls(*print)) {
      // The format is the last named parameter of a variadic function.
      Constant *layout = print->isVarArg()
                             ? layouts.of(call->getArgOperand(takes_stream))
                             : nullptr;
      if (layout)
        call_known(call, known,
                   takes_stream ? nullptr : standard->getInitializer(), layout);
      else
        call->setCalledFunction(module.getFunction(record));
    }
  }
  // From here on they are ordinary functions, which a program may lack.
  SmallPtrSet<Value *, 8> functions;
  for (StringRef name : concat<const StringRef>(unused, ArrayRef(known_name))) {
    Function *function = module.getFunction(name);
    function->setVisibility(GlobalValue::DefaultVisibility);
    function->setLinkage(GlobalValue::InternalLinkage);
    functions.insert(function);
  }
  removeFromUsedLists(module, [&](Constant *constant) {
    return functions.contains(constant->stripPointerCasts());
  });
  return PreservedAnalyses::none();
}
