//===-- libc-shim/abi/regex_ranges.c - [a-z] in newlib's regcomp ----------===//
// regcomp() asks these for the order of characters. The only locale is C, in
// which characters are in the order of their codes.
//===----------------------------------------------------------------------===//

int __collate_load_error = 1; // no table: regcomp() compares codes

int __collate_range_cmp(int first, int second) { return first - second; }
