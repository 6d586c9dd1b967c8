// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#include <stdlib.h>

#include "SanitizerSupport.h"

#if defined(__GLIBC__)
#include <malloc.h>

long penstock_heap_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return (long)(info.uordblks + info.hblkhd);
}

#else

long penstock_heap_in_use(void) { return 0; }

#endif
