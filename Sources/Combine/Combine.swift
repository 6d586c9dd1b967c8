// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

@_exported public import Penstock

// Source that says `import Combine` builds unchanged. Apple's Foundation has URLSession, so code written there expects it
// from `import Foundation`: here it comes with this module.
#if canImport(FoundationNetworking)
  @_exported public import FoundationNetworking
#endif
