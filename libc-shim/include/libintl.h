// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/libintl.h - Translations: there are none -*- C -*-===*/
#ifndef GPUEXEC_LIBINTL_H
#define GPUEXEC_LIBINTL_H

#ifdef __cplusplus
extern "C" {
#endif
/* The message itself; with a number that of English's two forms. */
char *gettext(const char *) __attribute__((__format_arg__(1)));
char *dgettext(const char *, const char *) __attribute__((__format_arg__(2)));
char *dcgettext(const char *, const char *, int)
    __attribute__((__format_arg__(2)));
char *ngettext(const char *, const char *, unsigned long)
    __attribute__((__format_arg__(1))) __attribute__((__format_arg__(2)));
char *dngettext(const char *, const char *, const char *, unsigned long)
    __attribute__((__format_arg__(2))) __attribute__((__format_arg__(3)));
char *dcngettext(const char *, const char *, const char *, unsigned long, int)
    __attribute__((__format_arg__(2))) __attribute__((__format_arg__(3)));
/* What a program sets is not kept: the argument, or for null the default. */
char *textdomain(const char *);
char *bindtextdomain(const char *, const char *);
char *bind_textdomain_codeset(const char *, const char *);
#ifdef __cplusplus
}
#endif

#endif
