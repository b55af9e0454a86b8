#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Collects the headers of libstdc++ as they are installed for programs: what its configure and make link, rename and
# fill in for a target, without running them.
#   headers.sh SOURCE ANSWERS TO
# SOURCE is GCC's folder (with libstdc++-v3/ and libgcc/), ANSWERS config.txt, TO the folder to make.
set -eu
gcc=$1 answers=$2 to=$3
lib=$gcc/libstdc++-v3
bits=$to/bits
rm -rf "$to"
mkdir -p "$to"

cp "$lib"/include/std/* "$lib"/include/c_global/* "$to"
for header in complex fenv math stdatomic stdlib tgmath; do # the others are C's alone
  cp "$lib/include/c_compatibility/$header.h" "$to"
done
for folder in backward bits debug decimal experimental ext parallel pstl tr1 tr2; do
  cp -R "$lib/include/$folder" "$to/$folder"
done
cp "$(dirname "$0")"/include/pstl/*.h "$to/pstl" # ours in place of one: parallel algorithms use the whole grid
rm "$bits/c++config" "$to/debug/array" "$to/pstl/LICENSE.txt"
cp "$lib"/include/backward/hash_map "$lib"/include/backward/hash_set "$to/ext"
cp "$lib"/include/precompiled/*.h "$bits"
for header in compare cxxabi.h exception initializer_list new typeinfo; do
  cp "$lib/libsupc++/$header" "$to"
done
for header in atomic_lockfree_defines cxxabi_forced exception_defines exception_ptr hash_bytes nested_exception exception \
  cxxabi_init_exception; do
  cp "$lib/libsupc++/$header.h" "$bits"
done

# What a target chooses: how newlib's system is, classes of characters of our own, the locale "C" (and UTF-8 by the C library), files by <stdio.h>.
config=$lib/config
cp "$config"/os/newlib/*.h "$config"/os/generic/error_constants.h "$config"/cpu/generic/*.h "$config"/cpu/generic/opt/bits/opt_random.h \
  "$config"/locale/generic/messages_members.h "$config"/locale/generic/time_members.h "$bits"
cp "$(dirname "$0")"/include/bits/*.h "$bits" # ours, some in place of GCC's
cp "$config/cpu/generic/opt/ext/opt_random.h" "$to/ext"
cp "$config/locale/generic/c_locale.h" "$bits/c++locale.h"
cp "$config/io/basic_file_stdio.h" "$bits/basic_file.h"
cp "$config/io/c_io_stdio.h" "$bits/c++io.h"
cp "$config/allocator/new_allocator_base.h" "$bits/c++allocator.h"
echo "// Large files need no macros: off_t has 64 bits." >"$bits/largefile-config.h"

# time_get::get() keeps what %I said until it comes to %p, unless do_get() is a derived class's: for clang by the object's type.
sed -i -e '/^#pragma GCC system_header/a #include <typeinfo>' \
  -e '/^#if __GNUC__ >= 5 && !defined(__clang__)/i #if __cpp_rtti\
      __use_state = typeid(*this) == typeid(time_get) || typeid(*this) == typeid(time_get_byname<_CharT, _InIter>);\
#endif' "$bits/locale_facets_nonio.tcc"

# has_facet() and use_facet() of a standard facet need no dynamic_cast.
sed -i -e '/^#pragma GCC system_header/a #include <bits/standard_facets.h>' \
  -e 's/\b[a-z]*_cast\(<const _Facet[*&]>(\*\?__facets\)/__facet_under_id<_Facet>::_S_cast\1/' \
  -e 's/_S_cast<const _Facet[*&]>/_S_cast/' "$bits/locale_classes.tcc"

# std::atomic's wait() without a futex: GCC 12 compares before it locks, and notifies without the lock. A change between the
# comparison and the wait woke nobody.
sed -i -e '/lock_guard<mutex> __l(_M_mtx);/d' \
  -e 's/__atomic_load(__addr, &__val, __ATOMIC_\(RELAXED\|SEQ_CST\));/lock_guard<mutex> __l(_M_mtx);\
	__atomic_load(__addr, \&__val, __ATOMIC_SEQ_CST);/' \
  -e 's/^\(\s*\)if (__all)$/\1{ lock_guard<mutex> __l(_M_mtx); }\
&/' "$bits/atomic_wait.h" "$bits/atomic_timed_wait.h"

# Threads are those of POSIX. The headers of libgcc keep its names out of the program's way.
for name in gthr gthr-posix gthr-single; do
  sed -e 's/\(UNUSED\)/_GLIBCXX_\1/g' -e 's/\(GCC_GTHR[A-Z_]*_H\)/_GLIBCXX_\1/g' \
    -e 's/SUPPORTS_WEAK/__GXX_WEAK__/g' -e 's/\bGTHREAD_USE_WEAK/_GLIBCXX_GTHREAD_USE_WEAK/g' \
    -e 's/\bHIDE_EXPORTS\b/_GLIBCXX_HIDE_EXPORTS/g' -e 's,^#include "\(gthr[^"]*\)",#include <bits/\1>,' \
    "$gcc/libgcc/$name.h" >"$bits/$name.h"
done
cp "$bits/gthr-posix.h" "$bits/gthr-default.h"

# A program is linked whole: what the library has is hidden, so that what nothing uses goes away.
grep -rl "#pragma GCC visibility" "$to" | xargs sed -i '/^#pragma GCC visibility/d'

# c++config.h: libstdc++'s own part with what make fills in, then the answers.
{
  sed -e 's/define __GLIBCXX__/& 20220819/' -e 's/define _GLIBCXX_RELEASE/& 12/' -e 's/define _GLIBCXX_INLINE_VERSION/& 0/' \
    -e 's/define _GLIBCXX_HAVE_ATTRIBUTE_VISIBILITY/& 0/' -e 's/define _GLIBCXX_EXTERN_TEMPLATE$/& 1/' \
    -e 's/define _GLIBCXX_USE_DUAL_ABI/& 1/' -e 's/define _GLIBCXX_USE_CXX11_ABI/& 1/' \
    -e 's/define _GLIBCXX_USE_ALLOCATOR_NEW/& 1/' -e 's/^#undef _GLIBCXX_VERBOSE_ASSERT/#define _GLIBCXX_VERBOSE_ASSERT 1/' \
    -e '/define _GLIBCXX_USE_FLOAT128/d' "$lib/include/bits/c++config"
  sed -e 's/#.*//' "$answers" | tr -s ' \n' '\n\n' | sed -e '/^$/d' -e '/=/!s/$/=1/' -e '/^_/!s/^[A-Z]/_GLIBCXX_&/' \
    -e 's/^\([0-9]\)/_GLIBCXX\1/' -e 's/^\([^=]*\)=\(.*\)/#define \1 \2/'
  echo "#endif"
} >"$bits/c++config.h"
