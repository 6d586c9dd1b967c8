// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import Testing

@Suite struct SendableDivergences {
  @Test func `A future's promise is Sendable`() async {
    func isSendable(_ promise: @Sendable (Result<Int, Never>) -> Void) -> Bool { true }
    var answer = false
    let future = Future<Int, Never> { promise in
      answer = isSendable(promise)
      Task { promise(.success(1)) }
    }
    #expect(answer)
    #expect(await future.value == 1)
  }
}
