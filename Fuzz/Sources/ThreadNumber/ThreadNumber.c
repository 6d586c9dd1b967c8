// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#include "ThreadNumber.h"

#include <stdatomic.h>

static atomic_uint_fast64_t given = 1;
static _Thread_local uint64_t own = 0;

__attribute__((noinline)) uint64_t fuzz_thread_number(void) {
  if (own == 0) own = atomic_fetch_add_explicit(&given, 1, memory_order_relaxed);
  __asm__ volatile("" ::: "memory");
  return own;
}
