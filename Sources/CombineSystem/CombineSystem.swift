// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// What the product `Combine` is made of on an Apple host: the system's framework, under the name by which packages that
// are shared with Linux depend on it.
#if canImport(Darwin)
  @_exported public import Combine
#endif
