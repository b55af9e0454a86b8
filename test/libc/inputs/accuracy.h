// One evaluation, as the device sends it to the judge.
#include <stdint.h>
struct accuracy_record {
  uint32_t function;
  uint32_t padding;
  double x, y, result;
};
enum {
#define D1(name, low, high, limit) ID_##name,
#define F1 D1
#define D2(name, low, high, low2, high2, limit) ID_##name,
#define F2 D2
#include "accuracy.def"
  FUNCTIONS
};
#undef D1
#undef F1
#undef D2
#undef F2
