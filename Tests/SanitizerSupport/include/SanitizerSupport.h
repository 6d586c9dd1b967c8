// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Nothing to call: the thread sanitizer finds what this module defines by its name.
