/* newlib's own header reads what newlib.h sets, but does not include it. */
#include <newlib.h>
#include_next <machine/ieeefp.h>
