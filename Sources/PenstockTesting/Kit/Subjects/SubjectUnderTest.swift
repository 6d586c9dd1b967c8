// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `@unchecked`: the author's closures are `@Sendable`. Their wrappers are not, to the compiler, because the type of a
// publisher that is known as `some Publisher` could belong to an actor.

/// A subject under test, without its types.
struct ErasedSubject {
  let subscribe: (Probe) -> Void
  let send: (Int) -> Void
  let end: (_ fails: Bool) -> Void
}

/// A subject under test, and what its author says about it.
struct SubjectUnderTest: @unchecked Sendable {
  var make: () -> ErasedSubject
  /// How many of the latest values a later subscriber gets.
  var replay = 0
  /// Whether it gets them after the end as well.
  var replaysAfterEnd = false
  /// Whether a failure can be sent.
  var mayFail = true
  /// Whether the subject can end.
  var mayEnd = true

  /// The subject as a publisher: it sends everything when time passes for the first time after the subscription.
  var publisher: PublisherUnderTest {
    let (make, mayEnd) = (make, mayEnd)
    var subject = PublisherUnderTest()
    subject.traits = mayEnd ? [.hot, .shared] : [.hot, .shared, .endless]
    subject.finite = { count in
      let erased = make()
      let hasSent = Locked(false)
      return ErasedPublisher(
        subscribe: { probe, _ in erased.subscribe(probe) },
        settle: {
          let isFirst = hasSent.with { hasSent in
            defer { hasSent = true }
            return !hasSent
          }
          guard isFirst else { return }
          for number in 0..<Swift.min(count, 50) { erased.send(number + 1) }
          if mayEnd { erased.end(false) }
        })
    }
    return subject
  }
}
