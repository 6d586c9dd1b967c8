// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The method of a publisher does not say that the subscriber fits.

import Penstock

#if !FIXED
  struct Answer: Publisher {
    typealias Output = Int
    typealias Failure = Never

    func receive<S: Subscriber>(subscriber: S) {
      Just(42).receive(subscriber: subscriber)
    }
  }
#else
  struct Answer: Publisher {
    typealias Output = Int
    typealias Failure = Never

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      Just(42).receive(subscriber: subscriber)
    }
  }
#endif
