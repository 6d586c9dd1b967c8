// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// What the tests import as Penstock's core is another Combine in this package.
#if PENSTOCK_KIT_OVER_COMBINE
  @_exported public import Combine
#else
  @_exported public import OpenCombine
#endif
