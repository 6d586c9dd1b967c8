// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

@_exported public import PenstockCore

// On Linux a part of Foundation is a module of its own. Apple's code does not import it, so it comes with this one.
#if canImport(FoundationNetworking)
  @_exported public import FoundationNetworking
#endif
