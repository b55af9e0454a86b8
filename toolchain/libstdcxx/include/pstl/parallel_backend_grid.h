//===-- toolchain/libstdcxx/include/pstl/parallel_backend_grid.h - Parallel algorithms on the grid -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What libstdc++'s algorithms with std::execution::par and par_unseq call: each
// is a parallel region of OpenMP's (libc-shim/openmp/team.h), in which every
// thread of the grid works. Neighbouring threads have neighbouring elements,
// except where the order of partial results counts: there a thread has a piece
// of neighbouring ones. Functions of the program that throw here end it, as the
// standard says: regions are noexcept.
//===----------------------------------------------------------------------===//
#ifndef _PSTL_PARALLEL_BACKEND_GRID_H
#define _PSTL_PARALLEL_BACKEND_GRID_H

#include <bits/functexcept.h>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

extern "C" {
void __kmpc_parallel_60(const void *__place, int __number, int __condition,
                        int __wanted, int __bind, void *__function,
                        void (*__run)(unsigned short __level, unsigned __number),
                        void **__arguments, long __count, int __strict);
void __kmpc_get_shared_variables(void ***__arguments);
void __kmpc_barrier(const void *__place, int __number);
int omp_get_thread_num(void) noexcept;
int omp_get_num_threads(void) noexcept;
int omp_get_max_threads(void) noexcept;
}

namespace __pstl
{
namespace __grid_backend
{

//===-- Regions -----------------------------------------------------------===//

/// Fewer elements than this are not worth a region.
constexpr std::size_t __few = 64;

/// One thread of a region: its number, and how many there are.
struct __member
{
    std::size_t __number, __count;

    /// Waits for the others; what they have written can be read then.
    void __meet() const { __kmpc_barrier(nullptr, 0); }
};

/// What gpuexec --stats calls a region: the text is clang's for OpenMP.
struct __place
{
    int __reserved[4];
    const char* __text;
};

template <class _Body>
struct __region
{
    static void __run(unsigned short, unsigned) noexcept
    {
        void** __arguments;
        __kmpc_get_shared_variables(&__arguments);
        (*static_cast<const _Body*>(__arguments[0]))(
            __member{std::size_t(omp_get_thread_num()), std::size_t(omp_get_num_threads())});
    }
};

/// Executes __body(member) in as many threads as the grid has, or __most; in the calling thread alone inside another region.
template <class _Body>
void __on_grid(const char* __name, std::size_t __most, const _Body& __body)
{
    const __place __here = {{0, 0, 0, 0}, __name};
    void* __arguments[] = {const_cast<_Body*>(&__body)};
    const std::size_t __threads = omp_get_max_threads();
    __kmpc_parallel_60(&__here, 0, 1, int(__most < __threads ? __most : __threads), -1, nullptr, __region<_Body>::__run,
                       __arguments, 1, 0);
}

/// A copy in each thread stays in registers; what is expensive to copy stays where it is.
template <class _Tp>
using __own = std::conditional_t<std::is_trivially_copyable_v<_Tp> && sizeof(_Tp) <= 64, _Tp, _Tp&>;

inline std::size_t __smaller(std::size_t __a, std::size_t __b) { return __a < __b ? __a : __b; }

/// Uninitialised memory for __n objects; null where there is none.
template <class _Tp>
class __memory
{
    _Tp* const __data;

  public:
    explicit __memory(std::size_t __n) :
        __data(static_cast<_Tp*>(__n > std::size_t(-1) / sizeof(_Tp)
                                     ? nullptr
                                     : std::aligned_alloc(__alignment, (__n * sizeof(_Tp) + __alignment) & -__alignment)))
    {
    }
    __memory(const __memory&) = delete;
    ~__memory() { std::free(__data); }
    _Tp* __get() const { return __data; }

  private:
    static constexpr std::size_t __alignment = alignof(_Tp) < 64 ? 64 : alignof(_Tp);
};

/// The same, where memory that is out is an exception: for libstdc++ itself.
template <typename _Tp>
class __buffer
{
    const __memory<_Tp> __memory_;

  public:
    explicit __buffer(std::size_t __n) : __memory_(__n)
    {
        if (!__memory_.__get())
            std::__throw_bad_alloc();
    }
    operator bool() const { return true; }
    _Tp* get() const { return __memory_.__get(); }
};

/// The other threads notice by themselves: they look at the result that has been found.
inline void __cancel_execution() {}

//===-- Elements by themselves --------------------------------------------===//

template <class _ExecutionPolicy, class _Index, class _Fp>
void __parallel_for(_ExecutionPolicy&&, _Index __first, _Index __last, _Fp __f)
{
    const std::size_t __n = __last - __first;
    if (__n < __few)
    {
        if (__n)
            __f(__first, __last);
        return;
    }
    __on_grid(";;std::execution;0;0;;", __n, [__first, __n, &__f](__member __me) {
        __own<_Fp> __call = __f;
        const _Index __begin = __first;
        const std::size_t __end = __n;
        for (std::size_t __i = __me.__number; __i < __end; __i += __me.__count)
            __call(__begin + __i, __begin + __i + 1);
    });
}

template <class _ExecutionPolicy, typename _F1, typename _F2>
void __parallel_invoke(_ExecutionPolicy&&, _F1&& __f1, _F2&& __f2)
{
    // One after the other: each has the whole grid.
    std::forward<_F1>(__f1)();
    std::forward<_F2>(__f2)();
}

//===-- Partial results ---------------------------------------------------===//

/// Combines __values[0, __n) in their order, into __values[0]; all members call it. A thread combines __fan_in of them at a time, because
/// the threads wait for each other after each step.
template <class _Tp, class _Combine>
void __combine_all(__member __me, _Tp* __values, std::size_t __n, _Combine&& __combine)
{
    constexpr std::size_t __fan_in = 16;
    for (std::size_t __distance = 1; __distance < __n; __distance *= __fan_in)
    {
        __me.__meet();
        const std::size_t __step = __fan_in * __distance;
        for (std::size_t __i = __me.__number * __step; __i + __distance < __n; __i += __me.__count * __step)
        {
            _Tp __sum = std::move(__values[__i]);
            const std::size_t __end = __smaller(__n, __i + __step);
            for (std::size_t __j = __i + __distance; __j < __end; __j += __distance)
                __sum = __combine(std::move(__sum), std::move(__values[__j]));
            __values[__i] = std::move(__sum);
        }
    }
}

/// Destroys objects that members have made.
template <class _Tp>
void __destroy(_Tp* __values, std::size_t __n)
{
    if constexpr (!std::is_trivially_destructible_v<_Tp>)
        std::destroy_n(__values, __n);
}

template <class _ExecutionPolicy, class _Index, class _UnaryOp, class _Tp, class _BinaryOp, class _Reduce>
_Tp __parallel_transform_reduce(_ExecutionPolicy&&, _Index __first, _Index __last, _UnaryOp __unary, _Tp __init,
                                _BinaryOp __combine, _Reduce __reduce)
{
    const std::size_t __n = __last - __first;
    const std::size_t __threads = __smaller(__n, omp_get_max_threads());
    if (__n < __few)
        return __reduce(__first, __last, std::move(__init));
    const __memory<_Tp> __parts(__threads);
    _Tp* const __values = __parts.__get();
    if (!__values)
        return __reduce(__first, __last, std::move(__init));
    std::size_t __made = 0;
    __on_grid(";;std::execution reduce;0;0;;", __threads, [&](__member __me) {
        __own<_UnaryOp> __element = __unary;
        __own<_BinaryOp> __plus = __combine;
        const _Index __begin = __first;
        const std::size_t __end = __n, __stride = __me.__count;
        std::size_t __i = __me.__number;
        _Tp __sum = __element(__begin + __i);
        __i += __stride;
        // Four at a time: their loads do not wait for each other.
        for (; __i + 3 * __stride < __end; __i += 4 * __stride)
        {
            _Tp __a = __element(__begin + __i), __b = __element(__begin + (__i + __stride));
            _Tp __c = __element(__begin + (__i + 2 * __stride)), __d = __element(__begin + (__i + 3 * __stride));
            _Tp __ab = __plus(std::move(__a), std::move(__b)), __cd = __plus(std::move(__c), std::move(__d));
            __sum = __plus(std::move(__sum), __plus(std::move(__ab), std::move(__cd)));
        }
        for (; __i < __end; __i += __stride)
            __sum = __plus(std::move(__sum), __element(__begin + __i));
        ::new (static_cast<void*>(__values + __me.__number)) _Tp(std::move(__sum));
        __combine_all(__me, __values, __stride, __combine);
        if (!__me.__number)
            __made = __stride;
    });
    _Tp __result = __combine(std::move(__init), std::move(__values[0]));
    __destroy(__values, __made);
    return __result;
}

/// Pieces of neighbouring elements, one for each thread, in their order.
struct __pieces
{
    std::size_t __n, __length, __count;

    __pieces(std::size_t __elements) : __n(__elements)
    {
        const std::size_t __most = __smaller(__n, omp_get_max_threads());
        __length = (__n + __most - 1) / __most;
        __count = (__n + __length - 1) / __length;
    }
    std::size_t __begin(std::size_t __piece) const { return __piece * __length; }
    std::size_t __end(std::size_t __piece) const { return __smaller(__n, (__piece + 1) * __length); }
};

template <class _ExecutionPolicy, class _Value, class _Index, typename _RealBody, typename _Reduction>
_Value __parallel_reduce(_ExecutionPolicy&&, _Index __first, _Index __last, const _Value& __identity,
                         const _RealBody& __real_body, const _Reduction& __reduction)
{
    if (__first == __last)
        return __identity;
    const std::size_t __n = __last - __first;
    const __pieces __all(__n);
    const __memory<_Value> __parts(__n < __few ? 1 : __all.__count);
    _Value* const __values = __parts.__get();
    if (__n < __few || !__values)
        return __real_body(__first, __last, __identity);
    __on_grid(";;std::execution reduce;0;0;;", __all.__count, [&](__member __me) {
        for (std::size_t __i = __me.__number; __i < __all.__count; __i += __me.__count)
            ::new (static_cast<void*>(__values + __i))
                _Value(__real_body(__first + __all.__begin(__i), __first + __all.__end(__i), __identity));
        __combine_all(__me, __values, __all.__count, __reduction);
    });
    _Value __result = std::move(__values[0]);
    __destroy(__values, __all.__count);
    return __result;
}

//===-- Sums before each element ------------------------------------------===//

/// Sums of the pieces before and at each: __from[i] becomes the combination of __from[0..i]. __to is as large; which of the two has the
/// sums is returned. Both have objects.
template <class _Tp, class _Combine>
_Tp* __scan_all(__member __me, _Tp* __from, _Tp* __to, std::size_t __n, const _Combine& __combine)
{
    for (std::size_t __distance = 1; __distance < __n; __distance *= 2)
    {
        __me.__meet();
        for (std::size_t __i = __me.__number; __i < __n; __i += __me.__count)
        {
            if (__i < __distance)
                __to[__i] = __from[__i];
            else
                __to[__i] = __combine(_Tp(__from[__i - __distance]), _Tp(__from[__i]));
        }
        _Tp* const __other = __from;
        __from = __to;
        __to = __other;
    }
    return __from;
}

/// The total after __initial; __then(total) is called before any piece is scanned. __sum(begin, end): of a piece; __scan(begin, end,
/// what is before it). False without memory: nothing has been called.
template <class _Tp, class _Sum, class _Combine, class _Then, class _Scan>
bool __scan_pieces(std::size_t __n, const _Tp& __initial, const _Sum& __sum, const _Combine& __combine, const _Then& __then,
                   const _Scan& __scan)
{
    const __pieces __all(__n);
    const __memory<_Tp> __parts(2 * __all.__count);
    _Tp* const __first_half = __parts.__get();
    if (!__first_half)
        return false;
    _Tp* const __second_half = __first_half + __all.__count;
    _Tp* __sums = nullptr;
    __on_grid(";;std::execution scan;0;0;;", __all.__count, [&](__member __me) {
        for (std::size_t __i = __me.__number; __i < __all.__count; __i += __me.__count)
        {
            ::new (static_cast<void*>(__first_half + __i)) _Tp(__sum(__all.__begin(__i), __all.__end(__i)));
            ::new (static_cast<void*>(__second_half + __i)) _Tp(__first_half[__i]);
        }
        _Tp* const __result = __scan_all(__me, __first_half, __second_half, __all.__count, __combine);
        if (!__me.__number)
            __sums = __result;
    });
    __then(__combine(_Tp(__initial), _Tp(__sums[__all.__count - 1])));
    __on_grid(";;std::execution scan;0;0;;", __all.__count, [&](__member __me) {
        for (std::size_t __i = __me.__number; __i < __all.__count; __i += __me.__count)
            __scan(__all.__begin(__i), __all.__end(__i),
                   __i ? __combine(_Tp(__initial), _Tp(__sums[__i - 1])) : _Tp(__initial));
    });
    __destroy(__first_half, 2 * __all.__count);
    return true;
}

template <class _ExecutionPolicy, typename _Index, typename _Tp, typename _Rp, typename _Cp, typename _Sp, typename _Ap>
void __parallel_strict_scan(_ExecutionPolicy&&, _Index __n, _Tp __initial, _Rp __reduce, _Cp __combine, _Sp __scan,
                            _Ap __apex)
{
    const auto __sum = [&](std::size_t __begin, std::size_t __end) { return __reduce(_Index(__begin), _Index(__end - __begin)); };
    const auto __scan_piece = [&](std::size_t __begin, std::size_t __end, _Tp __before) {
        __scan(_Index(__begin), _Index(__end - __begin), std::move(__before));
    };
    if (std::size_t(__n) >= __few && __scan_pieces(std::size_t(__n), __initial, __sum, __combine, __apex, __scan_piece))
        return;
    _Tp __total = __initial;
    if (__n)
        __total = __combine(std::move(__total), __reduce(_Index(0), __n));
    __apex(__total);
    if (__n)
        __scan(_Index(0), __n, __initial);
}

template <class _ExecutionPolicy, class _Index, class _UnaryOp, class _Tp, class _BinaryOp, class _Reduce, class _Scan>
_Tp __parallel_transform_scan(_ExecutionPolicy&&, _Index __n, _UnaryOp __unary, _Tp __init, _BinaryOp __combine,
                              _Reduce __reduce, _Scan __scan)
{
    _Tp __total = __init;
    const auto __sum = [&](std::size_t __begin, std::size_t __end) {
        return __reduce(_Index(__begin + 1), _Index(__end), _Tp(__unary(_Index(__begin))));
    };
    const auto __then = [&](_Tp __all) { __total = std::move(__all); };
    const auto __scan_piece = [&](std::size_t __begin, std::size_t __end, _Tp __before) {
        __scan(_Index(__begin), _Index(__end), std::move(__before));
    };
    if (std::size_t(__n) >= __few && __scan_pieces(std::size_t(__n), __init, __sum, __combine, __then, __scan_piece))
        return __total;
    return __scan(_Index(0), __n, std::move(__init));
}

} // namespace __grid_backend
} // namespace __pstl

#include <pstl/parallel_backend_grid_sort.h>

#endif
