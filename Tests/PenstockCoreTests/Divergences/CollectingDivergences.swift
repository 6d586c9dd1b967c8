// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Where the collecting and the replacing operators differ from Combine on purpose.
///
/// Each test holds one difference, and says why.
@Suite struct CollectingDivergences {
  /// Combine's still delivers it when it is requested, though no delivery is to start after a cancel.
  @Test(arguments: CollectingCase.all)
  func `A cancel drops a result that waits to be asked for`(_ operation: CollectingCase) {
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = operation.attach(recorder)
    operation.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    recorder.cancel()
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(operation.text)])
    #expect(publisher.calls == [.requested(.unlimited)])
  }

  /// The same, for a result that was certain before upstream's end.
  @Test(arguments: CollectingCase.deciding)
  func `A cancel drops a decision that waits to be asked for`(_ operation: CollectingCase) throws {
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = operation.attach(recorder)
    publisher.send(try #require(operation.decision).input)
    recorder.cancel()
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(operation.text)])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  /// Combine's asks for everything, whatever was asked of it, and passes on whatever comes: more than was asked for.
  @Test func `Replacing an empty stream asks upstream for no more than was asked for`() {
    let publisher = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    publisher.replaceEmpty(with: 0).subscribe(recorder)
    #expect(publisher.calls.isEmpty)
    recorder.request(.max(2))
    #expect(publisher.calls == [.requested(.max(2))])

    let limited = Recorder<Int, Never>(demand: .max(2))
    (1...5).publisher.eraseToAnyPublisher().replaceEmpty(with: 0).subscribe(limited)
    #expect(limited.values == [1, 2])
  }
}
