// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockCore
import PenstockFoundation
import TestSupport
import Testing

/// How a data task is cancelled, what it leaves in memory, and how it is described.
@Suite struct DataTaskCancelTests {
  typealias Client = DataTaskPublisherTests.Client

  private let queue: OperationQueue
  private let session: URLSession

  init() {
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    // Without a cache, so that a task is cancelled at once; see `RunningTask`.
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    session = URLSession(configuration: configuration, delegate: nil, delegateQueue: queue)
  }

  @Test(arguments: [false, true])
  func `Cancelling closes the connection, and nothing is delivered`(_ hasCache: Bool) {
    let session =
      hasCache ? URLSession(configuration: .default, delegate: nil, delegateQueue: queue) : session
    let (arrived, closed) = (Gate(), Gate())
    let server = LoopbackServer { connection in
      connection.begin(length: 1_000)
      arrived.open()
      connection.waitForClose()
      closed.open()
    }
    let client = Client()
    session.dataTaskPublisher(for: server.url()).subscribe(client.recorder)
    arrived.wait()
    client.recorder.cancel()
    closed.wait()
    client.recorder.cancel()
    client.recorder.request(.max(1))
    queue.waitUntilAllOperationsAreFinished()
    #expect(client.recorder.events.count == 1)
  }

  @Test func `Cancelled before any request, it makes no task`() {
    let server = LoopbackServer { $0.answer(200, "water") }
    let (client, other) = (Client(demand: nil), Client())
    session.dataTaskPublisher(for: server.url("/cancelled")).subscribe(client.recorder)
    client.recorder.cancel()
    client.recorder.request(.unlimited)
    session.dataTaskPublisher(for: server.url("/other")).subscribe(other.recorder)
    other.done.wait()
    #expect(server.paths == ["/other"])
    #expect(client.recorder.events.count == 1)
  }

  @Test func `If it is cancelled during the delivery, it does not end`() {
    let server = LoopbackServer { $0.answer(200, "water") }
    let client = Client()
    client.recorder.onValue = { [recorder = client.recorder, done = client.done] _ in
      recorder.cancel()
      done.open()
      return .none
    }
    session.dataTaskPublisher(for: server.url()).subscribe(client.recorder)
    client.done.wait()
    queue.waitUntilAllOperationsAreFinished()
    #expect(client.texts == ["water"])
    #expect(client.recorder.completions.isEmpty)
    client.recorder.onValue = nil
  }

  @Test func `No lock is held while the subscriber receives`() {
    let server = LoopbackServer { $0.answer(200, "water") }
    let client = Client()
    client.recorder.onValue = { [recorder = client.recorder] _ in
      let shared = Locked(recorder)
      onThreads([{ shared.value.request(.max(1)) }, { _ = Mirror(reflecting: shared.value.subscriptions[0]) }])
      return .none
    }
    session.dataTaskPublisher(for: server.url()).subscribe(client.recorder)
    client.done.wait()
    #expect(client.recorder.isFinished)
    client.recorder.onValue = nil
  }

  @Test(arguments: [false, true])
  func `The subscriber is free after the end and after a cancel`(_ cancels: Bool) {
    var graveyard = Graveyard()
    let (arrived, release) = (Gate(), Gate())
    let server = LoopbackServer { connection in
      arrived.open()
      // A task must not end while it is being cancelled; see below.
      if cancels { return connection.waitForClose() }
      release.wait()
      connection.answer(200, "water")
    }
    var subscription: (any Subscription)?
    do {
      let client = Client()
      client.recorder.onCompletion = { [done = client.done] _ in done.open() }
      session.dataTaskPublisher(for: server.url()).subscribe(graveyard.watch(client.recorder, "subscriber"))
      arrived.wait()
      if cancels {
        client.recorder.cancel()
      } else {
        release.open()
        client.done.wait()
        queue.waitUntilAllOperationsAreFinished()
      }
      // Kept, to show that it does not keep the subscriber alive.
      subscription = client.recorder.subscriptions[0]
      client.recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime(subscription) {}
  }

  /// The task is running when it is cancelled: Foundation on Linux traps occasionally when a task is cancelled while it
  /// starts or ends.
  @Test func `Cancelling races with requesting and with looking`() {
    let (arrived, closed) = (Gate(), Gate())
    let server = LoopbackServer { connection in
      arrived.open()
      connection.waitForClose()
      closed.open()
    }
    for _ in 0..<10 {
      let client = Client()
      session.dataTaskPublisher(for: server.url()).subscribe(client.recorder)
      arrived.wait()
      let subscription = Locked(client.recorder.subscriptions[0])
      onThreads([
        { subscription.value.cancel() },
        { subscription.value.cancel() },
        { _ = Mirror(reflecting: subscription.value).children.count },
      ])
      closed.wait()
      #expect(client.recorder.events.count == 1)
    }
  }

  @Test func `The subscription shows its parts`() throws {
    let client = Client(demand: nil)
    let url = try #require(URL(string: "http://127.0.0.1:9/"))
    session.dataTaskPublisher(for: url).subscribe(client.recorder)
    let subscription = client.recorder.subscriptions[0]
    #expect(
      Shown(of: subscription) == Shown("DataTaskPublisher", children: ["task", "downstream", "parent", "demand"]))
    let parent = Mirror(reflecting: subscription).children.first { $0.label == "parent" }?.value
    #expect((parent as? URLSession.DataTaskPublisher)?.request.url == url)
    client.recorder.cancel()
  }

  @Test func `The publisher has the request and the session`() throws {
    let url = try #require(URL(string: "http://127.0.0.1:9/"))
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    let publisher = session.dataTaskPublisher(for: request)
    #expect(publisher.request == request)
    #expect(publisher.session === session)
    #expect(session.dataTaskPublisher(for: url).request == URLRequest(url: url))
    #expect(URLSession.DataTaskPublisher(request: request, session: session).request == request)
  }

  @Test func `A request for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let client = Client(demand: .some(.none))
      URLSession.shared.dataTaskPublisher(for: URL(string: "http://127.0.0.1:9/")!).subscribe(client.recorder)
    }
    expectMessage(result, "request(.none)")
  }
}
