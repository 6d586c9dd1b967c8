// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if PENSTOCK_KIT_OVER_COMBINE
  @_exported public import Combine
#else
  @_exported public import OpenCombine
  @_exported public import OpenCombineDispatch
#endif
