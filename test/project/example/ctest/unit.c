/* Unit tests of the library, run on the device. */
#include "../src/roman.h"
#include "unit.h"

static char numeral[ROMAN_LONGEST];

TEST(known_values) {
  static const struct {
    int number;
    const char *numeral;
  } known[] = {{1, "I"}, {4, "IV"}, {9, "IX"}, {14, "XIV"}, {1994, "MCMXCIV"}, {3888, "MMMDCCCLXXXVIII"}};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
    EXPECT_EQ(to_roman(known[i].number, numeral), strlen(known[i].numeral));
    EXPECT_STREQ(numeral, known[i].numeral);
    EXPECT_EQ(from_roman(numeral), known[i].number);
  }
}

TEST(out_of_range) {
  EXPECT_EQ(to_roman(0, numeral), 0);
  EXPECT_EQ(to_roman(-1, numeral), 0);
  EXPECT_EQ(to_roman(4000, numeral), 0);
}

TEST(not_canonical) {
  EXPECT_EQ(from_roman("IIII"), 0);
  EXPECT_EQ(from_roman(""), 0);
  EXPECT_EQ(from_roman("VX"), 0);
}

#ifdef SHOW_A_FAILURE
TEST(fails) {
  EXPECT_EQ(from_roman("X"), 11);
  EXPECT_STREQ("X", "XI");
}
#endif
