// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Synchronization

/// The value type of all pipelines.
final class Item: Sendable {
  /// Identifies the producer and the subject; negative for values that are not counted.
  let channel: Int
  let number: Int
  private let legacy: (act: Act, world: World)?

  init(channel: Int, number: Int, act: Act? = nil, in world: World? = nil) {
    self.channel = channel
    self.number = number
    legacy = if let act, let world { (act, world) } else { nil }
    Census.items.add(1, ordering: .relaxed)
  }

  deinit {
    if let legacy { legacy.world.perform(legacy.act) }
    Census.items.subtract(1, ordering: .acquiringAndReleasing)
  }

  /// A value outside every sequence.
  static func loose(_ number: Int) -> Item { Item(channel: -1, number: number) }

  /// Encodes channel and number as one integer, for the streams of integers.
  static func code(channel: Int, number: Int) -> Int { (channel + 1) << 32 | number }

  convenience init(code: Int) { self.init(channel: (code >> 32) - 1, number: code & 0xFFFF_FFFF) }
}

extension Item {
  /// The subject to which it was sent.
  var subject: Int? { channel < 0 ? nil : channel % World.subjectLimit }
}

struct Fault: Error, Equatable {
  var text = "fault"
}
