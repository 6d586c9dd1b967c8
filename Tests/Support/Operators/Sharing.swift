// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

extension OperatorSpec {
  public static let sharing: [OperatorSpec] = [
    .init("share", requests: .more, traits: [.shares], varies: "its subject drops what was not asked for") {
      $0.share()
    },
    .init(
      "multicast, autoconnect", requests: .more, traits: [.shares], varies: "its subject drops what was not asked for"
    ) {
      $0.multicast { PassthroughSubject<Int, TestError>() }.autoconnect()
    },
  ]
}
