// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct ScanIntoTests {
  @Test func `Each result is published, and every subscription starts anew`() {
    let sums = (1...4).publisher.scan(into: 0) { $0 += $1 }
    for _ in 0..<2 {
      let recorder = Recorder<Int, Never>()
      sums.subscribe(recorder)
      #expect(recorder.values == [1, 3, 6, 10] && recorder.isFinished)
    }
  }

  @Test func `Demand passes unchanged, and so does the end`() {
    let recorder = Recorder<[Int], TestError>(demand: .max(1), answering: .max(2))
    let publisher = ManualPublisher<Int, TestError>()
    publisher.scan(into: []) { $0.append($1) }.subscribe(recorder)
    #expect(publisher.send(1) == .max(2))
    publisher.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription("ScanInto"), .value([1]), .completion(.failure(.oops))])
    #expect(publisher.calls == [.requested(.max(1))])
  }

  @Test func `The result grows in place, and is copied only where a subscriber keeps it`() {
    for keeps in [false, true] {
      var copies = 0
      var address: UnsafePointer<Int>?
      var kept: [[Int]] = []
      let start: [Int] = {
        var array: [Int] = []
        array.reserveCapacity(100)
        return array
      }()
      let cancellable = (1...50).publisher
        .scan(into: start) { array, value in
          array.append(value)
          let place = array.withUnsafeBufferPointer(\.baseAddress)
          if place != address { copies += 1 }
          address = place
        }
        .sink { if keeps { kept.append($0) } }
      // The first value makes the only copy: the publisher has the initial result.
      if keeps { #expect(copies > 40) } else { #expect(copies <= 3) }
      withExtendedLifetime((cancellable, start, kept)) {}
    }
  }

  @Test func `A subscriber that sends gets the next result, of all values`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      if value == 1 { subject.send(10) }
      return .none
    }
    subject.scan(into: 0) { $0 += $1 }.subscribe(recorder)
    subject.send(1)
    subject.send(100)
    #expect(recorder.values == [1, 11, 111])
  }

  @Test func `What the closure sends updates the result after it, within demand`() {
    for demand in [Subscribers.Demand.unlimited, .max(2)] {
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>(demand: demand)
      subject.scan(into: 0) { result, value in
        if value == 1 { subject.send(10) }
        result += value
      }.subscribe(recorder)
      subject.send(1)
      #expect(recorder.values == [1, 11] && recorder.complaints.isEmpty)
      recorder.request(.max(1))
      subject.send(100)
      #expect(recorder.values == [1, 11, 111] && recorder.complaints.isEmpty)
    }
  }

  /// Sends when it ends.
  private final class Sender {
    let number: Int
    let send: () -> Void

    init(_ number: Int, _ send: @escaping () -> Void = {}) {
      self.number = number
      self.send = send
    }

    deinit { send() }
  }

  @Test func `What the closure removes may send as it ends`() {
    let subject = PassthroughSubject<Sender, Never>()
    var received: [Int] = []
    let cancellable = subject.scan(into: Sender(0)) { $0 = $1 }.sink { received.append($0.number) }
    subject.send(Sender(1) { subject.send(Sender(9)) })
    subject.send(Sender(2))
    subject.send(Sender(3))
    #expect(received == [1, 2, 9, 3])
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: ["finish", "cancel"])
  func `The result is free when the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Canary, Never>()
    let cancellable = subject.scan(into: [Canary]()) { $0.append($1) }.sink { _ in }
    for index in 0..<2 { subject.send(graveyard.watch(Canary(), "value \(index)")) }
    #expect(graveyard.survivors.count == 2)
    if end == "finish" { subject.send(completion: .finished) } else { cancellable.cancel() }
    #expect(graveyard.survivors.isEmpty)
  }
}
