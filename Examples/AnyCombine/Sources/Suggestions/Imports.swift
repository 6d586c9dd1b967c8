// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if PENSTOCK_KIT_OVER_OPENCOMBINE
  @_exported import OpenCombine
#elseif OVER_PENSTOCK
  @_exported import Penstock
#else
  @_exported import Combine
#endif
