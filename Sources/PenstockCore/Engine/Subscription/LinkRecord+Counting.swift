// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension LinkRecord {
  /// Registers the record as that of a link.
  @usableFromInline
  internal func begin(for link: BaseSubscription) { begin(link.linkNumber) }

  /// Puts the count into the calls of a subscriber.
  @usableFromInline
  internal func counting(_ calls: SubscriberCalls) -> SubscriberCalls {
    let (value, other) = (calls.value, calls.other)
    return SubscriberCalls(
      value: { memory, input in
        self.note()
        return value(memory, input)
      },
      other: { memory, call, argument in
        if case .completion = call { self.note(.completion) }
        other(memory, call, argument)
      })
  }

  /// A subscriber that counts, before another one.
  internal func counting(_ downstream: ErasedSubscriber) -> ErasedSubscriber {
    ErasedSubscriber(
      value: { _, input in
        self.note()
        return downstream.value(downstream, input)
      },
      other: { _, call, argument in
        if case .completion = call { self.note(.completion) }
        downstream.other(downstream, call, argument)
      })
  }
}
