// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Tests use these together.
@_exported public import Dispatch

// As in the kit, this file alone names a Combine: a second target, whose sources are a link to this folder, is built
// over another one.
#if PENSTOCK_KIT_OVER_COMBINE
  @_exported public import Combine
  #if PENSTOCK_FOREIGN
    @_exported public import PenstockTesting
  #else
    @_exported public import CombineTesting
  #endif
#elseif PENSTOCK_KIT_OVER_OPENCOMBINE
  @_exported public import OpenCombine
  @_exported public import OpenCombineDispatch
  @_exported public import PenstockTesting
#else
  @_exported public import PenstockDispatch
  @_exported public import PenstockOperators
  @_exported public import PenstockTesting
#endif
