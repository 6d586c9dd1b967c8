// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The one place that names a Combine. The kit uses the public interface of Combine and nothing else, so a second target,
// whose sources are a link to this folder, is built over another one: a define of that target says so. `canImport` would
// let whatever else is in the build decide.
#if PENSTOCK_KIT_OVER_COMBINE
  @_exported public import Combine
#elseif PENSTOCK_KIT_OVER_OPENCOMBINE
  @_exported public import OpenCombine
#else
  @_exported public import PenstockCore
#endif
