/* A unit test runner for the device in one header: tests register themselves, expectations say where they failed, the
 * status is 0 when all held. Arguments name the tests to run; all of them without any. */
#ifndef UNIT_H
#define UNIT_H
#include <stdio.h>
#include <string.h>

struct unit_test {
  const char *name;
  void (*run)(void);
  struct unit_test *next;
};
static struct unit_test *unit_tests, **unit_last = &unit_tests;
static int unit_failures;

#define TEST(NAME)                                                                                                     \
  static void test_##NAME(void);                                                                                       \
  static struct unit_test unit_##NAME = {#NAME, test_##NAME, 0};                                                       \
  __attribute__((constructor)) static void register_##NAME(void) {                                                     \
    *unit_last = &unit_##NAME;                                                                                         \
    unit_last = &unit_##NAME.next;                                                                                     \
  }                                                                                                                    \
  static void test_##NAME(void)

#define EXPECT_EQ(ACTUAL, EXPECTED)                                                                                    \
  do {                                                                                                                 \
    long actual = (ACTUAL), expected = (EXPECTED);                                                                     \
    if (actual != expected && ++unit_failures)                                                                         \
      printf("%s:%d: %s is %ld, expected %ld\n", __FILE__, __LINE__, #ACTUAL, actual, expected);                       \
  } while (0)

#define EXPECT_STREQ(ACTUAL, EXPECTED)                                                                                 \
  do {                                                                                                                 \
    const char *actual = (ACTUAL), *expected = (EXPECTED);                                                             \
    if (strcmp(actual, expected) && ++unit_failures)                                                                   \
      printf("%s:%d: %s is \"%s\", expected \"%s\"\n", __FILE__, __LINE__, #ACTUAL, actual, expected);                 \
  } while (0)

int main(int argc, char **argv) {
  int failed = 0, count = 0;
  for (struct unit_test *test = unit_tests; test; test = test->next) {
    int wanted = argc < 2, before = unit_failures;
    for (int i = 1; i < argc; i++)
      wanted |= !strcmp(argv[i], test->name);
    if (!wanted)
      continue;
    test->run();
    failed += unit_failures != before;
    count++;
    printf("[ %s ] %s\n", unit_failures == before ? "    OK" : "FAILED", test->name);
  }
  printf("%d of %d tests passed\n", count - failed, count);
  return failed || !count;
}
#endif
