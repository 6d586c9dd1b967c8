// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  extension [String: [String]] {
    /// Headers with one value each.
    internal init(_ headers: [String: String]) { self = headers.mapValues { [$0] } }

    /// The first value of each.
    internal var first: [String: String] { compactMapValues(\.first) }
  }
#endif
