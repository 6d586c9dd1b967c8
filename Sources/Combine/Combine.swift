// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

@_exported public import Penstock

// Code with `import Combine` builds unchanged. On Apple's systems Foundation contains URLSession, so such code expects
// it from `import Foundation` alone: this module provides it.
#if canImport(FoundationNetworking)
  @_exported public import FoundationNetworking
#endif
