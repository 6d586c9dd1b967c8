// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockCore
import PenstockFoundation
import TestSupport
import Testing

/// Responses of a real server on the loopback address.
@Suite struct DataTaskPublisherTests {
  typealias Output = URLSession.DataTaskPublisher.Output

  /// A subscriber whose completion can be waited for.
  final class Client {
    let recorder: Recorder<Output, URLError>
    let done = Gate()

    init(demand: Subscribers.Demand? = .unlimited) {
      recorder = Recorder(demand: demand)
      recorder.onCompletion = { [done] _ in done.open() }
    }

    var texts: [String] { recorder.values.map { String(decoding: $0.data, as: UTF8.self) } }
    var statuses: [Int?] { recorder.values.map { ($0.response as? HTTPURLResponse)?.statusCode } }
    var failure: URLError? { if case .failure(let error) = recorder.completions.first { error } else { nil } }
  }

  private let queue: OperationQueue
  private let session: URLSession

  init() {
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
  }

  @Test func `An answer is delivered, and then the end`() {
    let server = LoopbackServer { $0.answer(200, "water") }
    let client = Client()
    session.dataTaskPublisher(for: server.url("/tap")).subscribe(client.recorder)
    client.done.wait()
    #expect(client.texts == ["water"])
    #expect(client.statuses == [200])
    #expect(client.recorder.isFinished)
    #expect(client.recorder.events.count == 3)
    #expect(server.paths == ["/tap"])
  }

  @Test func `An answer without a body is empty data`() {
    let server = LoopbackServer { $0.answer(204, "") }
    let client = Client()
    session.dataTaskPublisher(for: URLRequest(url: server.url())).subscribe(client.recorder)
    client.done.wait()
    #expect(client.texts == [""])
    #expect(client.recorder.isFinished)
  }

  @Test(arguments: [404, 500])
  func `A status code is no failure`(_ status: Int) {
    let server = LoopbackServer { $0.answer(status, "gone") }
    let client = Client()
    session.dataTaskPublisher(for: server.url()).subscribe(client.recorder)
    client.done.wait()
    #expect(client.statuses == [status])
    #expect(client.recorder.isFinished)
  }

  @Test func `A slow answer comes when it is complete`() {
    let gate = Gate()
    let server = LoopbackServer { connection in
      connection.begin(length: 8)
      connection.send("slow")
      gate.wait()
      connection.send("ness")
    }
    let client = Client()
    session.dataTaskPublisher(for: server.url()).subscribe(client.recorder)
    gate.open()
    client.done.wait()
    #expect(client.texts == ["slowness"])
  }

  @Test func `A connection that breaks off is the session's failure`() {
    let server = LoopbackServer { connection in
      connection.begin(length: 1_000)
      connection.send("only this")
    }
    let client = Client()
    session.dataTaskPublisher(for: server.url()).subscribe(client.recorder)
    client.done.wait()
    #expect(client.recorder.values.isEmpty)
    #expect(client.failure != nil)
  }

  @Test func `An address without a listener is a failure`() {
    let nobody = NobodyThere()
    let client = Client()
    session.dataTaskPublisher(for: nobody.url).subscribe(client.recorder)
    withExtendedLifetime(nobody) { client.done.wait() }
    #expect(client.recorder.values.isEmpty)
    #expect(client.failure?.code == .cannotConnectToHost)
  }

  @Test func `The answer is delivered on the session's delegate queue`() {
    let server = LoopbackServer { $0.answer(200, "water") }
    let client = Client()
    let queues = Locked<[Bool]>([])
    client.recorder.onValue = { [queue] _ in
      queues.change { $0.append(OperationQueue.current === queue) }
      return .none
    }
    client.recorder.onCompletion = { [queue, done = client.done] _ in
      queues.change { $0.append(OperationQueue.current === queue) }
      done.open()
    }
    session.dataTaskPublisher(for: server.url()).subscribe(client.recorder)
    client.done.wait()
    #expect(queues.value == [true, true])
  }

  @Test func `Nothing is delivered while the subscriber is being introduced`() {
    let (answered, introduced) = (Gate(), Locked(false))
    let server = LoopbackServer { connection in
      connection.answer(200, "water")
      connection.waitForClose()
      answered.open()
    }
    let client = Client()
    let order = Locked<[Bool]>([])
    client.recorder.onSubscription = { [queue] subscription in
      subscription.request(.max(1))
      answered.wait()
      // By now the session has delivered on this queue, or its operation is ahead of this one.
      onThreads([{ queue.addOperations([BlockOperation {}], waitUntilFinished: true) }])
      introduced.change { $0 = true }
    }
    client.recorder.onValue = { [queue] _ in
      order.change { $0 += [introduced.value, OperationQueue.current === queue] }
      return .none
    }
    session.dataTaskPublisher(for: server.url()).subscribe(client.recorder)
    client.done.wait()
    #expect(order.value == [true, true])
  }

  @Test func `Each subscriber makes a request of its own`() {
    let server = LoopbackServer { $0.answer(200, "water") }
    let publisher = session.dataTaskPublisher(for: server.url())
    let clients = [Client(), Client()]
    for client in clients { publisher.subscribe(client.recorder) }
    for client in clients { client.done.wait() }
    #expect(clients.map(\.texts) == [["water"], ["water"]])
    #expect(server.paths.count == 2)
  }

  @Test func `The task is made by the first request, and there is one`() {
    // After the answer the subscription has no task any more.
    let looked = Gate()
    let server = LoopbackServer { connection in
      looked.wait()
      connection.answer(200, "water")
    }
    let client = Client(demand: nil)
    session.dataTaskPublisher(for: server.url()).subscribe(client.recorder)
    let subscription = client.recorder.subscriptions[0]
    #expect(task(of: subscription) == nil)
    subscription.request(.max(1))
    let task = task(of: subscription)
    #expect(task != nil)
    subscription.request(.max(1))
    looked.open()
    client.done.wait()
    #expect(client.texts == ["water"])
    #expect(server.paths.count == 1)
  }

  /// Accepts every request, and never answers.
  private final class Silence: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {}
    override func stopLoading() {}
  }

  /// Fails every request with the error named in its path.
  private final class Broken: URLProtocol {
    private struct Leak: Error {}

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
      let error: any Error = request.url?.path == "/url" ? URLError(.resourceUnavailable) : Leak()
      client?.urlProtocol(self, didFailWithError: error)
    }
  }

  @Test(arguments: [("/url", URLError.Code.resourceUnavailable), ("/other", .unknown)])
  func `An error of the session's is the failure, and any other one is unknown`(
    _ path: String, _ code: URLError.Code
  ) throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Broken.self]
    let client = Client()
    let url = try #require(URL(string: "http://127.0.0.1:9" + path))
    URLSession(configuration: configuration).dataTaskPublisher(for: url).subscribe(client.recorder)
    client.done.wait()
    #expect(client.recorder.values.isEmpty)
    #expect(client.failure?.code == code)
  }

  @Test func `Every request resumes the task`() throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Silence.self]
    let silent = URLSession(configuration: configuration)
    let client = Client(demand: .max(1))
    let url = try #require(URL(string: "http://127.0.0.1:9/"))
    silent.dataTaskPublisher(for: url).subscribe(client.recorder)
    let subscription = client.recorder.subscriptions[0]
    let task = task(of: subscription)
    #expect(task?.state == .running)
    task?.suspend()
    #expect(task?.state == .suspended)
    subscription.request(.max(1))
    #expect(task?.state == .running)
    client.recorder.cancel()
  }

  @Test func `Requests at once make one task`() {
    let requested = Gate()
    let server = LoopbackServer { connection in
      requested.wait()
      connection.answer(200, "water")
    }
    let client = Client(demand: nil)
    session.dataTaskPublisher(for: server.url()).subscribe(client.recorder)
    let shared = Locked(client.recorder.subscriptions[0])
    let all = shared.value
    withExtendedLifetime(all) { onThreads(4) { _ in shared.value.request(.max(1)) } }
    requested.open()
    client.done.wait()
    #expect(client.texts == ["water"])
    #expect(server.paths.count == 1)
  }

  private func task(of subscription: any Subscription) -> URLSessionDataTask? {
    let child = Mirror(reflecting: subscription).children.first { $0.label == "task" }
    return child?.value as? URLSessionDataTask
  }
}
