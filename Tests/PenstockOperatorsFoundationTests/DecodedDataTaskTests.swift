// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockOperatorsFoundation
import PenstockTesting
import TestSupport
import Testing

@Suite struct DecodedDataTaskTests {
  private struct Item: Codable, Equatable {
    let name: String
  }

  /// The outcome of a subscription on a queue.
  private final class Outcome: Sendable {
    let items = Locked<[Item]>([])
    let failure = Locked<String?>(nil)
    let strangers = Locked(0)
    let queue = DispatchQueue(label: "answers")
    private let key = DispatchSpecificKey<Bool>()
    private let done = Gate()

    init() { queue.setSpecific(key: key, value: true) }

    private func checkQueue() {
      if DispatchQueue.getSpecific(key: key) != true { strangers.change { $0 += 1 } }
    }

    func subscribe(to publisher: AnyPublisher<[Item], any Error>) -> AnyCancellable {
      publisher.sink(
        receiveCompletion: { completion in
          self.checkQueue()
          if case .failure(let error) = completion { self.failure.change { $0 = "\(Swift.type(of: error))" } }
          self.done.open()
        },
        receiveValue: { items in
          self.checkQueue()
          self.items.change { $0 = items }
        })
    }

    func wait() { done.wait() }
  }

  @Test func `A server that fails twice and then answers`() {
    let attempts = Locked(0)
    let server = LoopbackServer { connection in
      let attempt = attempts.change { attempts in
        attempts += 1
        return attempts
      }
      if attempt < 3 { connection.answer(500, "not now") } else { connection.answer(200, #"[{"name":"gate"}]"#) }
    }
    let outcome = Outcome()
    let cancellable = outcome.subscribe(
      to: URLSession.shared.decodedDataTaskPublisher(
        for: server.url("/items"), retryDelay: .milliseconds(1), decodingResultAs: [Item].self,
        returnQueue: outcome.queue))
    outcome.wait()
    #expect(outcome.items.value == [Item(name: "gate")])
    #expect(outcome.failure.value == nil)
    #expect(outcome.strangers.value == 0)
    #expect(server.paths == ["/items", "/items", "/items"])
    cancellable.cancel()
  }

  @Test func `The last failure is delivered, of decoding or of the session`() {
    let server = LoopbackServer { $0.answer(200, "no JSON") }
    let (decoding, session) = (Outcome(), Outcome())
    let first = decoding.subscribe(
      to: URLSession.shared.decodedDataTaskPublisher(
        for: URLRequest(url: server.url()), retryCount: 1, retryDelay: .milliseconds(1), decodingResultAs: [Item].self,
        returnQueue: decoding.queue))
    decoding.wait()
    #expect(decoding.failure.value == "DecodingError")
    #expect(server.paths.count == 2)
    let silent = LoopbackServer { _ in }
    let second = session.subscribe(
      to: URLSession.shared.decodedDataTaskPublisher(
        for: silent.url(), retryCount: 0, decodingResultAs: [Item].self, returnQueue: session.queue))
    session.wait()
    #expect(session.failure.value == "URLError")
    #expect(silent.paths.count == 1)
    #expect(decoding.strangers.value + session.strangers.value == 0)
    first.cancel()
    second.cancel()
  }

  @Test func `It is tried again three times unless told`() {
    let server = LoopbackServer { $0.answer(500, "not now") }
    let (url, request) = (Outcome(), Outcome())
    let first = url.subscribe(
      to: URLSession.shared.decodedDataTaskPublisher(
        for: server.url(), retryDelay: .milliseconds(1), decodingResultAs: [Item].self, returnQueue: url.queue))
    url.wait()
    #expect(server.paths.count == 4)
    let second = request.subscribe(
      to: URLSession.shared.decodedDataTaskPublisher(
        for: URLRequest(url: server.url()), retryDelay: .milliseconds(1), decodingResultAs: [Item].self,
        returnQueue: request.queue))
    request.wait()
    #expect(server.paths.count == 8)
    first.cancel()
    second.cancel()
  }

  @Test func `On another scheduler, that waits and delivers`() {
    let attempts = Locked(0)
    let server = LoopbackServer { connection in
      let attempt = attempts.change { attempts in
        attempts += 1
        return attempts
      }
      if attempt < 3 { connection.answer(500, "not now") } else { connection.answer(200, #"[{"name":"pipe"}]"#) }
    }
    let names = Locked<[String]>([])
    let done = Gate()
    // This one does not wait, not even for the three seconds.
    let cancellable = URLSession.shared.decodedDataTaskPublisher(
      for: URLRequest(url: server.url()), decodingResultAs: [Item].self, scheduler: ImmediateScheduler.shared
    ).sink(
      receiveCompletion: { _ in done.open() },
      receiveValue: { items in names.change { $0 = items.map(\.name) } })
    done.wait()
    #expect(names.value == ["pipe"])
    #expect(server.paths.count == 3)
    cancellable.cancel()
  }

  @Test func `The decoder is the one that was given`() {
    let server = LoopbackServer { $0.answer(200, #"{"first_name":"Pelton"}"#) }
    struct Person: Codable { let firstName: String }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let name = Locked("")
    let done = Gate()
    let cancellable = URLSession.shared.decodedDataTaskPublisher(
      for: server.url(), retryCount: 0, decodingResultAs: Person.self, decoder: decoder,
      returnQueue: DispatchQueue(label: "names")
    ).sink(receiveCompletion: { _ in done.open() }, receiveValue: { person in name.change { $0 = person.firstName } })
    done.wait()
    #expect(name.value == "Pelton")
    cancellable.cancel()
  }

  /// A scheduler that reports when work is scheduled, and never runs it.
  private struct WaitingRoom: Scheduler {
    let base = VirtualTimeScheduler()
    let entered = Gate()

    var now: VirtualTime { base.now }
    var minimumTolerance: VirtualTime.Stride { base.minimumTolerance }

    func schedule(options: Never?, _ action: @escaping () -> Void) { base.schedule(action) }

    func schedule(
      after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
    ) {
      base.schedule(after: date, action)
      entered.open()
    }

    func schedule(
      after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
      _ action: @escaping () -> Void
    ) -> any Cancellable {
      defer { entered.open() }
      return base.schedule(after: date, interval: interval, action)
    }
  }

  @Test func `A cancel during the wait asks no more`() {
    let server = LoopbackServer { $0.answer(500, "") }
    let outcome = Outcome()
    let room = WaitingRoom()
    let cancellable = outcome.subscribe(
      to: URLSession.shared.decodedDataTaskPublisher(
        for: URLRequest(url: server.url()), decodingResultAs: [Item].self, scheduler: room))
    room.entered.wait()
    cancellable.cancel()
    room.base.advance(by: 3_600)
    #expect(server.paths.count == 1)
    #expect(outcome.failure.value == nil)
  }
}
