// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A publisher that is not a subject takes no values.

import Penstock

#if !FIXED
  final class Clicks {
    let publisher = PassthroughSubject<Int, Never>().eraseToAnyPublisher()

    func click() { publisher.send(1) }
  }
#else
  final class Clicks {
    private let subject = PassthroughSubject<Int, Never>()

    var publisher: AnyPublisher<Int, Never> { subject.eraseToAnyPublisher() }

    func click() { subject.send(1) }
  }
#endif
