//===-- libc-shim/wide/wcschrnul.c - GNU's searches in wide text ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include <wchar.h>

wchar_t *wcschrnul(const wchar_t *text, wchar_t wanted) {
  while (*text && *text != wanted)
    ++text;
  return (wchar_t *)text;
}
wchar_t *wcswcs(const wchar_t *text, const wchar_t *wanted) {
  return wcsstr(text, wanted);
}
