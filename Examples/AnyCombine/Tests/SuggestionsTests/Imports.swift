// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if OVER_PENSTOCK || PENSTOCK_KIT_OVER_OPENCOMBINE
  @_exported import PenstockTestingDispatch
#else
  @_exported import CombineTestingDispatch
#endif
