// What UTF-8 takes is in programs that choose a locale, in no others.
// RUN: for arch in sm_90 gfx942; do %bin/gpucc --arch=$arch -O2 -D_GNU_SOURCE %s -o %t && ! grep -aq -e __unicode_low -e __utf8_decode %t \
// RUN:   && %bin/gpucc --arch=$arch -O2 -D_GNU_SOURCE -DCHOOSES %s -o %t && grep -aq __unicode_low %t && grep -aq __utf8_decode %t \
// RUN:   || { echo "failed: arch=$arch" >&2; exit 1; }; done
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

int main(int argc, char **argv) {
  wchar_t wide[100];
#ifdef CHOOSES
  setlocale(LC_ALL, "");
#endif
  if (argc > 1 && mbstowcs(wide, argv[1], 100) < 100)
    wprintf(L"%ls %lc %d %d %d\n", wide, towupper(wide[0]), wcwidth(wide[0]), iswpunct(wide[0]), (int)MB_CUR_MAX);
  return swscanf(L"a", L"%ls", wide) != 1;
}
