//===-- toolchain/libstdcxx/include/bits/semaphore_base.h - Semaphores -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for libstdc++'s file of this name. GCC 12's acquire() may wait for
// a count other than 0 to change: it tries once to take one, fails when another
// thread changes the count meanwhile, and waits for the next change, though the
// count is positive and release() tells nobody. try_acquire() fails then, too.
// Here a thread waits only while the count is 0.
//===----------------------------------------------------------------------===//
#ifndef _GLIBCXX_SEMAPHORE_BASE_H
#define _GLIBCXX_SEMAPHORE_BASE_H 1

#pragma GCC system_header

#include <bits/atomic_base.h>
#include <bits/chrono.h>
#if __cpp_lib_atomic_wait
#include <bits/atomic_timed_wait.h>
#include <ext/numeric_traits.h>

namespace std _GLIBCXX_VISIBILITY(default) {
  _GLIBCXX_BEGIN_NAMESPACE_VERSION

  /// The count of a semaphore. Threads wait in the pools of std::atomic's
  /// wait(), not in the object: it may end as soon as the last acquire() has
  /// returned.
  struct __semaphore_impl {
    static constexpr ptrdiff_t _S_max = __gnu_cxx::__int_traits<int>::__max;

    explicit __semaphore_impl(ptrdiff_t __count) noexcept : _M_count(__count) {
      __glibcxx_assert(__count >= 0 && __count <= _S_max);
    }
    __semaphore_impl(const __semaphore_impl &) = delete;
    __semaphore_impl &operator=(const __semaphore_impl &) = delete;

    /// False only when the count is 0.
    bool _M_try_acquire() noexcept {
      auto __count = __atomic_impl::load(&_M_count, memory_order::seq_cst);
      while (__count != 0)
        if (__atomic_impl::compare_exchange_weak(
                &_M_count, __count, __count - 1, memory_order::seq_cst,
                memory_order::seq_cst))
          return true;
      return false;
    }

    void _M_acquire() noexcept {
      using __pool = __detail::__waiter_base<__detail::__waiter_pool>;
      while (!_M_try_acquire())
        __pool::_S_for(&_M_count)._M_do_wait(&_M_count, 0);
    }

    template <typename _Clock, typename _Duration>
    bool _M_try_acquire_until(
        const chrono::time_point<_Clock, _Duration> &__time) noexcept {
      using __pool = __detail::__waiter_base<__detail::__timed_waiter_pool>;
      while (!_M_try_acquire()) {
        if (_Clock::now() >= __time)
          return false;
        __pool::_S_for(&_M_count)._M_do_wait_until(&_M_count, 0, __time);
      }
      return true;
    }

    template <typename _Rep, typename _Period>
    bool
    _M_try_acquire_for(const chrono::duration<_Rep, _Period> &__time) noexcept {
      using __clock = chrono::steady_clock;
      return _M_try_acquire_until(__clock::now() +
                                  chrono::ceil<__clock::duration>(__time));
    }

    /// Whoever waits has seen 0 under the lock with which it is notified.
    void _M_release(ptrdiff_t __more) noexcept {
      if (__atomic_impl::fetch_add(&_M_count, __more, memory_order::seq_cst) ==
          0)
        __detail::__waiter_pool_base::_S_for(&_M_count)._M_notify(&_M_count,
                                                                  true, true);
    }

  private:
    alignas(__detail::__platform_wait_alignment)
        __detail::__platform_wait_t _M_count;
  };

  _GLIBCXX_END_NAMESPACE_VERSION
} // namespace )
#endif // __cpp_lib_atomic_wait
#endif // _GLIBCXX_SEMAPHORE_BASE_H
