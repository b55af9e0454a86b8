//===-- toolchain/libstdcxx/include/pstl/parallel_backend_grid_sort.h - Sorting and merging on the grid -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stable merge sort: each thread sorts short runs, then runs are merged in
// pairs, from the range to a buffer and back, until one is left. Whatever the
// lengths of the runs, each thread writes pieces of __piece neighbouring
// elements: a binary search along the piece's diagonal says which elements of
// the two runs they come from.
//===----------------------------------------------------------------------===//
#ifndef _PSTL_PARALLEL_BACKEND_GRID_SORT_H
#define _PSTL_PARALLEL_BACKEND_GRID_SORT_H

#include <algorithm>

namespace __pstl
{
namespace __grid_backend
{

constexpr std::size_t __run = 16;   // elements that one thread sorts
constexpr std::size_t __piece = 16; // elements that one thread merges
constexpr std::size_t __tile = 32;  // pieces whose threads search together at first

/// Of the first __diagonal elements of two merged runs, how many are the first run's; between __low and __high.
template <class _It1, class _It2, class _Compare>
std::size_t __split(_It1 __a, _It2 __b, std::size_t __diagonal, std::size_t __low, std::size_t __high, _Compare& __comp)
{
    while (__low < __high)
    {
        const std::size_t __middle = __low + (__high - __low) / 2;
        if (__comp(__b[__diagonal - 1 - __middle], __a[__middle]))
            __high = __middle;
        else
            __low = __middle + 1;
    }
    return __low;
}

/// The same, for runs of __na and __nb elements.
template <class _It1, class _It2, class _Compare>
std::size_t __split(_It1 __a, std::size_t __na, _It2 __b, std::size_t __nb, std::size_t __diagonal, _Compare& __comp)
{
    return __split(__a, __b, __diagonal, __diagonal > __nb ? __diagonal - __nb : 0, __smaller(__diagonal, __na), __comp);
}

//===-- Runs --------------------------------------------------------------===//

/// Sorts __run values in registers: neighbours that are out of order change places, so that equal ones keep theirs.
template <class _Tp, class _Compare>
inline void __sort_values(_Tp (&__values)[__run], _Compare& __comp)
{
#pragma unroll
    for (std::size_t __round = 0; __round < __run; ++__round)
    {
#pragma unroll
        for (std::size_t __i = __round % 2; __i + 1 < __run; __i += 2)
        {
            const bool __change = __comp(__values[__i + 1], __values[__i]);
            const _Tp __low = __change ? __values[__i + 1] : __values[__i];
            __values[__i + 1] = __change ? __values[__i] : __values[__i + 1];
            __values[__i] = __low;
        }
    }
}

/// Are values small enough to be copied about, into registers?
template <class _Tp>
constexpr bool __is_small = std::is_trivially_copyable_v<_Tp> && std::is_default_constructible_v<_Tp> && sizeof(_Tp) <= 16;

/// Sorts the runs of [__from, __from + __n) to the same places of __to, which may be the same range. __leaf sorts few elements.
template <class _Tp, class _From, class _To, class _Compare, class _Leaf>
void __sort_runs(__member __me, _From __from, _To __to, std::size_t __n, _Compare& __comp, const _Leaf& __leaf)
{
    for (std::size_t __at = __me.__number * __run; __at < __n; __at += __me.__count * __run)
    {
        if (__at + __run <= __n)
        {
            _Tp __values[__run];
#pragma unroll
            for (std::size_t __i = 0; __i < __run; ++__i)
                __values[__i] = __from[__at + __i];
            __sort_values(__values, __comp);
#pragma unroll
            for (std::size_t __i = 0; __i < __run; ++__i)
                __to[__at + __i] = __values[__i];
            continue;
        }
        __leaf(__from + __at, __from + __n, __comp);
        for (std::size_t __i = __at; __i < __n; ++__i)
            __to[__i] = __from[__i];
    }
}

//===-- Merges ------------------------------------------------------------===//

/// Moves the __length merged elements that follow __ia and __ib of two runs to __to.
template <class _From, class _To, class _Compare>
void __merge_piece(_From __a, std::size_t __ia, std::size_t __na, _From __b, std::size_t __ib, std::size_t __nb, _To __to,
                   std::size_t __length, _Compare& __comp)
{
    using _Tp = typename std::iterator_traits<_From>::value_type;
    if constexpr (__is_small<_Tp>)
    {
        // Each element is loaded once.
        _Tp __first{}, __second{};
        if (__ia < __na)
            __first = __a[__ia];
        if (__ib < __nb)
            __second = __b[__ib];
        for (std::size_t __i = 0; __i < __length; ++__i)
        {
            if (__ia < __na && (__ib >= __nb || !__comp(__second, __first)))
            {
                __to[__i] = __first;
                if (++__ia < __na)
                    __first = __a[__ia];
            }
            else
            {
                __to[__i] = __second;
                if (++__ib < __nb)
                    __second = __b[__ib];
            }
        }
    }
    else
    {
        for (std::size_t __i = 0; __i < __length; ++__i)
        {
            if (__ia < __na && (__ib >= __nb || !__comp(__b[__ib], __a[__ia])))
                __to[__i] = std::move(__a[__ia++]);
            else
                __to[__i] = std::move(__b[__ib++]);
        }
    }
}

/// One thread's piece of the pairs of runs of __width elements that are merged.
struct __pair
{
    std::size_t __at, __base;          // of the piece and of the pair, in the range
    std::size_t __na, __nb;            // elements of the two runs
    std::size_t __diagonal, __length;  // of the piece in the pair

    __pair(std::size_t __n, std::size_t __width, std::size_t __index) :
        __at(__index * __piece), __base(__at / (2 * __width) * (2 * __width)), __na(__smaller(__width, __n - __base)),
        __nb(__smaller(__width, __n - __base - __na)), __diagonal(__at - __base),
        __length(__smaller(__piece, __na + __nb - __diagonal))
    {
    }
};

/// Of the elements in front of a piece, how many are of its pair's first run.
template <class _From, class _Compare>
std::size_t __begin_of(const __pair& __own_pair, std::size_t __index, _From __a, _From __b, _Compare& __comp)
{
    // Threads of a tile search for its beginning with the same loads, and then in a small window.
    std::size_t __tile_at = __index / __tile * __tile * __piece;
    __tile_at = __tile_at > __own_pair.__base ? __tile_at - __own_pair.__base : 0;
    const std::size_t __diagonal = __own_pair.__diagonal, __nb = __own_pair.__nb;
    const std::size_t __before = __split(__a, __own_pair.__na, __b, __nb, __tile_at, __comp);
    const std::size_t __low = __diagonal > __nb && __diagonal - __nb > __before ? __diagonal - __nb : __before;
    const std::size_t __high = __smaller(__smaller(__diagonal, __own_pair.__na), __before + (__diagonal - __tile_at));
    return __split(__a, __b, __diagonal, __low, __high, __comp);
}

/// Merges pairs of runs of __width elements. Elements that are not the same once they have been moved are looked at before any is:
/// __begins, an element for each piece.
template <class _From, class _To, class _Compare>
void __merge_runs(__member __me, _From __from, _To __to, std::size_t __n, std::size_t __width, std::size_t* __begins,
                  _Compare& __comp)
{
    constexpr bool __stay = std::is_trivially_copyable_v<typename std::iterator_traits<_From>::value_type>;
    const std::size_t __all = (__n + __piece - 1) / __piece;
    if constexpr (!__stay)
    {
        for (std::size_t __index = __me.__number; __index < __all; __index += __me.__count)
        {
            const __pair __mine(__n, __width, __index);
            const _From __a = __from + __mine.__base;
            __begins[__index] = __begin_of(__mine, __index, __a, __a + __mine.__na, __comp);
        }
        __me.__meet();
    }
    for (std::size_t __index = __me.__number; __index < __all; __index += __me.__count)
    {
        const __pair __mine(__n, __width, __index);
        const _From __a = __from + __mine.__base, __b = __a + __mine.__na;
        const std::size_t __end = __mine.__diagonal + __mine.__length;
        std::size_t __ia, __a_end = __mine.__na;
        if constexpr (__stay)
            __ia = __begin_of(__mine, __index, __a, __b, __comp);
        else
        {
            __ia = __begins[__index];
            if (__end < __mine.__na + __mine.__nb)
                __a_end = __begins[__index + 1];
        }
        const std::size_t __b_end = __stay ? __mine.__nb : __end - __a_end;
        __merge_piece(__a, __ia, __a_end, __b, __mine.__diagonal - __ia, __b_end, __to + __mine.__at, __mine.__length, __comp);
    }
}

/// Moves [__from, __from + __n); neighbours move neighbours.
template <class _From, class _To>
void __move_all(__member __me, _From __from, _To __to, std::size_t __n)
{
    for (std::size_t __i = __me.__number; __i < __n; __i += __me.__count)
        __to[__i] = std::move(__from[__i]);
}

/// Sorts with a buffer of as many elements. __length: how many __leaf sorts at once; __plain: __leaf does nothing but sort.
template <class _Tp, class _It, class _Compare, class _Leaf>
void __sort_on_grid(_It __first, _Tp* __buffer, std::size_t __n, _Compare& __compare, const _Leaf& __leaf, std::size_t __length,
                    bool __plain, std::size_t* __begins)
{
    std::size_t __merges = 0;
    for (std::size_t __width = __run; __width < __n; __width *= 2)
        ++__merges;
    __on_grid(";;std::execution sort;0;0;;", (__n + __run - 1) / __run, [&](__member __me) {
        __own<_Compare> __comp = __compare;
        const _It __range = __first;
        _Tp* const __other = __buffer;
        const std::size_t __count = __n;
        bool __in_buffer = false;
        if constexpr (__is_small<_Tp>)
        {
            // The last merge ends in the range.
            __in_buffer = __plain && __merges % 2;
            if (__plain && __in_buffer)
                __sort_runs<_Tp>(__me, __range, __other, __count, __comp, __leaf);
            else if (__plain)
                __sort_runs<_Tp>(__me, __range, __range, __count, __comp, __leaf);
        }
        if (!__is_small<_Tp> || !__plain)
        {
            for (std::size_t __at = __me.__number * __run; __at < __count; __at += __me.__count * __run)
            {
                const std::size_t __end = __smaller(__at + __run, __count);
                for (std::size_t __i = __at; __i < __end; __i += __length)
                    __leaf(__range + __i, __range + __smaller(__i + __length, __end), __compare);
                if (__length < __run)
                    std::sort(__range + __at, __range + __end, __comp);
                for (std::size_t __i = __at; __i < __end; ++__i)
                    ::new (static_cast<void*>(__other + __i)) _Tp(std::move(__range[__i]));
            }
            __in_buffer = true;
        }
        for (std::size_t __width = __run; __width < __count; __width *= 2)
        {
            __me.__meet();
            if (__in_buffer)
                __merge_runs(__me, __other, __range, __count, __width, __begins, __comp);
            else
                __merge_runs(__me, __range, __other, __count, __width, __begins, __comp);
            __in_buffer = !__in_buffer;
        }
        if (__in_buffer)
        {
            __me.__meet();
            __move_all(__me, __other, __range, __count);
        }
        if constexpr (!std::is_trivially_destructible_v<_Tp>)
        {
            __me.__meet();
            for (std::size_t __i = __me.__number; __i < __count; __i += __me.__count)
                __other[__i].~_Tp();
        }
    });
}

/// __sorted: how many elements need be in order at the end, 0: all. All are.
template <class _ExecutionPolicy, typename _RandomAccessIterator, typename _Compare, typename _LeafSort>
void __parallel_stable_sort(_ExecutionPolicy&&, _RandomAccessIterator __first, _RandomAccessIterator __last, _Compare __comp,
                            _LeafSort __leaf_sort, std::size_t __sorted = 0)
{
    using _Tp = typename std::iterator_traits<_RandomAccessIterator>::value_type;
    const std::size_t __n = __last - __first;
    const __memory<_Tp> __buffer(__n < __few ? 1 : __n);
    const __memory<std::size_t> __begins(std::is_trivially_copyable_v<_Tp> ? 1 : __n / __piece + 1);
    if (__n < __few || !__buffer.__get() || !__begins.__get())
    {
        if (__n)
            __leaf_sort(__first, __last, __comp);
        return;
    }
    // Leaves of partial_sort sort the beginning of what is longer than that only, and some of them fill the range.
    __sort_on_grid<_Tp>(__first, __buffer.__get(), __n, __comp, __leaf_sort, __sorted ? __smaller(__run, __sorted) : __run, !__sorted,
                        __begins.__get());
}

template <class _ExecutionPolicy, typename _RandomAccessIterator1, typename _RandomAccessIterator2, typename _RandomAccessIterator3,
          typename _Compare, typename _LeafMerge>
void __parallel_merge(_ExecutionPolicy&&, _RandomAccessIterator1 __first1, _RandomAccessIterator1 __last1,
                      _RandomAccessIterator2 __first2, _RandomAccessIterator2 __last2, _RandomAccessIterator3 __out, _Compare __compare,
                      _LeafMerge __leaf_merge)
{
    const std::size_t __na = __last1 - __first1, __nb = __last2 - __first2, __n = __na + __nb;
    if (__n < __few)
    {
        __leaf_merge(__first1, __last1, __first2, __last2, __out, __compare);
        return;
    }
    const std::size_t __all = (__n + __piece - 1) / __piece;
    // Where each piece begins is found before any element is moved.
    const __memory<std::size_t> __begins(__all + 1);
    std::size_t* const __begin = __begins.__get();
    if (!__begin)
    {
        __leaf_merge(__first1, __last1, __first2, __last2, __out, __compare);
        return;
    }
    __on_grid(";;std::execution merge;0;0;;", __all, [&](__member __me) {
        __own<_Compare> __comp = __compare;
        for (std::size_t __i = __me.__number; __i <= __all; __i += __me.__count)
            __begin[__i] = __split(__first1, __na, __first2, __nb, __smaller(__i * __piece, __n), __comp);
        __me.__meet();
        for (std::size_t __i = __me.__number; __i < __all; __i += __me.__count)
        {
            const std::size_t __at = __i * __piece, __end = __smaller(__at + __piece, __n);
            const std::size_t __a = __begin[__i], __a_end = __begin[__i + 1];
            __leaf_merge(__first1 + __a, __first1 + __a_end, __first2 + (__at - __a), __first2 + (__end - __a_end), __out + __at, __comp);
        }
    });
}

} // namespace __grid_backend
} // namespace __pstl

#endif
