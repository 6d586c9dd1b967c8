// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The only place that names a Combine. The kit uses only the public interface of Combine, so a second target, whose
// sources are a link to this folder, is built over another Combine, which a define of that target selects. `canImport`
// would let whatever else is in the build decide.
#if PENSTOCK_KIT_OVER_COMBINE
  @_exported public import Combine
#elseif PENSTOCK_KIT_OVER_OPENCOMBINE
  @_exported public import OpenCombine
#else
  @_exported public import PenstockCore
#endif
