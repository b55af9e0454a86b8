//===-- libc-shim/argp/exit_status.c - For programs that do not define it -===//
// The status after a wrong command line. See version.c.
//===----------------------------------------------------------------------===//
#include <argp.h>
#include <sysexits.h>

error_t argp_err_exit_status = EX_USAGE;
