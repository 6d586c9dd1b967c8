// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#pragma once

// The thread sanitizer finds what this module defines for it by its name.

/// The number of bytes that are in use on the heap; zero where the C library does not say.
long penstock_heap_in_use(void);
