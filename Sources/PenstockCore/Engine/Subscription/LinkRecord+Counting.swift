// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension LinkRecord {
  /// Makes the record known as that of a link.
  @usableFromInline
  internal func begin(for link: BaseSubscription) { begin(liveLinks.number(of: link)) }

  /// Puts the count into the calls of a subscriber.
  @usableFromInline
  internal func counting(_ calls: SubscriberCalls) -> SubscriberCalls {
    let (value, other) = (calls.value, calls.other)
    return SubscriberCalls(
      value: { memory, input in
        self.note()
        return value(memory, input)
      },
      other: { memory, matter, argument in
        if case .completion = matter { self.note(.completion) }
        other(memory, matter, argument)
      })
  }

  /// A subscriber that counts, before another one.
  internal func counting(_ downstream: ErasedSubscriber) -> ErasedSubscriber {
    ErasedSubscriber(
      value: { _, input in
        self.note()
        return downstream.value(downstream, input)
      },
      other: { _, matter, argument in
        if case .completion = matter { self.note(.completion) }
        downstream.other(downstream, matter, argument)
      })
  }
}
