// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct MakeConnectableTests {
  @Test func `Nothing comes before it is connected; then everybody gets everything`() {
    let connectable = [1, 2, 3].publisher.makeConnectable()
    let recorders = [Recorder<Int, Never>(), Recorder<Int, Never>()]
    for recorder in recorders { connectable.subscribe(recorder) }
    for recorder in recorders { #expect(recorder.events == [.subscription("Multicast")]) }
    let connection = connectable.connect()
    #expect(connection is AnyCancellable)
    for recorder in recorders {
      #expect(recorder.values == [1, 2, 3])
      #expect(recorder.isFinished)
    }
  }

  @Test func `Copies share subscribers and connections`() {
    let source = PassthroughSubject<Int, Never>()
    let connectable = source.makeConnectable()
    let copy = connectable
    let recorder = Recorder<Int, Never>()
    copy.subscribe(recorder)
    var connection: (any Cancellable)? = connectable.connect()
    source.send(1)
    connection = nil
    source.send(2)
    #expect(connection == nil)
    #expect(recorder.events == [.subscription("Multicast"), .value(1)])
  }

  @Test func `Upstream may fail when it is made by its initialiser`() {
    let source = PassthroughSubject<Int, TestError>()
    let connectable = Publishers.MakeConnectable(upstream: source)
    let recorder = Recorder<Int, TestError>()
    connectable.subscribe(recorder)
    let connection = connectable.connect()
    source.send(completion: .failure(.oops))
    #expect(recorder.completions == [.failure(.oops)])
    connection.cancel()
  }
}
