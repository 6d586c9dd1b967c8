// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#include "AllocationCounter.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_bool counting;
static _Atomic(uint64_t) allocations;

void allocation_counter_start(void) {
  atomic_store(&allocations, 0);
  atomic_store(&counting, true);
}

uint64_t allocation_counter_stop(void) {
  atomic_store(&counting, false);
  return atomic_load(&allocations);
}

#ifdef __GLIBC__

// The functions below replace the C library's own for the whole process, Swift's runtime included. While nothing is
// being counted, they cost one load and a branch that is always predicted, which hardly affects timings.

#include <errno.h>
#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

bool allocation_counter_is_supported(void) { return true; }

static inline void note(void) {
  if (__builtin_expect(atomic_load_explicit(&counting, memory_order_relaxed), 0))
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  note();
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  note();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  note();
  void *memory = __libc_memalign(alignment, size);
  if (!memory) return ENOMEM;
  *result = memory;
  return 0;
}

uint64_t allocation_counter_bytes(void) { return mallinfo2().uordblks; }

#else

bool allocation_counter_is_supported(void) { return false; }

uint64_t allocation_counter_bytes(void) { return 0; }

#endif
