// Functions of C++ have readable names where people see them: in the report of a fault, with and without debug information, in a
// sandbox, and in gpuexec-info. JSON has the symbol's name and the readable one beside it. C's names stay as they are.
// REQUIRES: amdgpu
// RUN: %gpucc -O1 %s -o %t && %gpucc -O1 -g %s -o %t.g
// RUN: not %run %t 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: not %run --sandbox %t 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: in places::store(int*, places::pair<int>)+0x
// FAULT-NEXT: in called_from_c+0x
// RUN: not %run %t.g 2>&1 | FileCheck %s --check-prefix=LINES
// LINES: in {{.*}}store{{.*}} {{.*}}demangled.cpp:[[#]]
// RUN: gpuexec-info --functions %t | FileCheck %s --check-prefix=TABLE
// TABLE-DAG: called_from_c {{ *}}{{[0-9]}}
// TABLE-DAG: places::store(int*, places::pair<int>) {{ *}}{{[0-9]}}
// RUN: gpuexec-info --json %t > %t.json
// RUN: %python -c 'import json, sys; rows = {row["name"]: row for row in json.load(open(sys.argv[1]))["images"][0]["functions"]}; print(rows["_ZN6places5storeEPiNS_4pairIiEE"]["demangled"], "demangled" in rows["called_from_c"])' %t.json | FileCheck %s --check-prefix=JSON
// JSON: places::store(int*, places::pair<int>) False
namespace places {
template <typename T> struct pair {
  T first, second;
};
[[gnu::noinline]] int store(int *to, pair<int> values) {
  *to = values.first + values.second;
  return *to;
}
} // namespace places

extern "C" [[gnu::noinline]] int called_from_c(int *to) { return places::store(to, {1, 2}) + 1; }

int main(int argc, char **) {
  int *volatile nowhere = nullptr;
  return called_from_c(nowhere + argc);
}
