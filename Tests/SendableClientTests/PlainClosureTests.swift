// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import Testing

/// What Combine's signatures still permit, in Swift 6 mode and without any exemption from the compiler.
///
/// The closure of `sink` is not `@Sendable`, so it may capture state that belongs to one task, while the subject, which
/// is Sendable, calls it from another one. Neither a warning nor a check prevents it: only an isolated closure is
/// guarded when it is called, see `GuardedClosureTests`. Making the closure `@Sendable` would break every program that
/// moves over from Combine; checked operators will have names of their own.
@Suite struct PlainClosureTests {
  /// Not Sendable: the compiler would not let another task have it directly.
  private final class Total {
    var value = 0
  }

  @Test func `A plain sink lets another task change what the compiler thinks is ours`() async {
    let subject = PassthroughSubject<Int, Never>()
    let total = Total()
    let cancellable = subject.sink { total.value += $0 }
    // One sender at a time, so that this test itself has no race. With two at once there would be one, and it would
    // compile.
    await Task.detached { subject.send(1) }.value
    await Task.detached { subject.send(2) }.value
    #expect(total.value == 3)
    cancellable.cancel()
  }
}
