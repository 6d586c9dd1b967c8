// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if OVER_PENSTOCK || PENSTOCK_FOREIGN
  @_exported import PenstockTestingDispatch
#else
  @_exported import CombineTestingDispatch
#endif
