// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The product `Combine` on an Apple host: the system's framework, under the name on which packages that are shared with
// Linux depend.
#if canImport(Darwin)
  @_exported public import Combine
#endif
