// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

@_exported public import Penstock

// This module would hide the system's framework from everything in the build. That has to be asked for.
#if (canImport(Darwin) || PENSTOCK_SIMULATED_APPLE) && !PENSTOCK_OWN_COMBINE
  #error(
    """
    This build is for one of Apple's systems, but is run on a system without Combine, or with TARGET_OS_ANDROID in its \
    environment. Set PENSTOCK_OWN_COMBINE=0 for the system's framework, or PENSTOCK_OWN_COMBINE=1 for Penstock's.
    """)
#endif

// Code with `import Combine` builds unchanged. On Apple's systems Foundation contains URLSession, so such code expects
// it from `import Foundation` alone: this module provides it.
#if canImport(FoundationNetworking)
  @_exported public import FoundationNetworking
#endif
