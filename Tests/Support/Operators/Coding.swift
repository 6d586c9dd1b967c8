// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

extension OperatorSpec {
  public static let coding: [OperatorSpec] = [
    .init(
      "encode", .managed(.coding), shown: "Encode", children: ["downstream", "finished", "upstreamSubscription"],
      traits: [.throwing], number: { Int($0)! }
    ) { $0.encode(encoder: TextEncoder(check: $0.check)) },
    .init(
      "decode", .managed(.coding), shown: "Decode", children: ["downstream", "finished", "upstreamSubscription"],
      traits: [.throwing]
    ) { $0.decode(type: Int.self, decoder: NumberDecoder(check: $0.check)) },
  ]
}
