// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Android)
    internal import Android
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

  /// Copies a text into memory that the C client, or ``freeMemory(_:)``, frees.
  internal func copyText(_ text: String) -> UnsafeMutablePointer<CChar>? { strdup(text) }

  /// Frees memory that the C client has left to its caller.
  internal func freeMemory(_ memory: UnsafeMutableRawPointer) { free(memory) }
#endif
