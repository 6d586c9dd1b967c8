// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The product `Combine` on Apple's systems: the system's framework, under the name on which packages that are shared
// with Linux depend. Elsewhere an empty module would pass in silence, and each file that uses Combine would fail.
#if canImport(Darwin) || PENSTOCK_SIMULATED_APPLE
  @_exported public import Combine
#else
  #error(
    """
    This build is for a system without Combine, but is run on one that has it. Set PENSTOCK_OWN_COMBINE=1 in the \
    environment of the build, so that the product Combine is Penstock's.
    """)
#endif
