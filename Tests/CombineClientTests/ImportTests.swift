// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Combine
import Foundation
import Testing

/// Code as it is written for Apple's systems: with these imports and no others.
@Suite struct ImportTests {
  private final class Downloads {
    let finished = PassthroughSubject<URL, URLError>()
    private(set) var names: [String] = []
    private var cancellables = Set<AnyCancellable>()

    init() {
      finished
        .map { $0.lastPathComponent }
        .filter { !$0.isEmpty }
        .sink(receiveCompletion: { _ in }, receiveValue: { [weak self] in self?.names.append($0) })
        .store(in: &cancellables)
    }
  }

  @Test func `Code that imports Combine and Foundation builds and runs`() throws {
    let downloads = Downloads()
    let url = try #require(URL(string: "https://example.org/files/pipe.txt"))
    downloads.finished.send(url)
    downloads.finished.send(completion: .finished)
    #expect(downloads.names == ["pipe.txt"])
  }

  @Test func `URLSession is there without importing FoundationNetworking`() throws {
    let url = try #require(URL(string: "https://example.org"))
    let request = URLRequest(url: url)
    let session = URLSession(configuration: .ephemeral)
    let task = session.dataTask(with: request)
    #expect(task.originalRequest?.url == url)
    task.cancel()
  }

  @Test func `An encoder of Foundation is an encoder of Combine's`() throws {
    func encode<E: TopLevelEncoder>(_ value: Int, by encoder: E) throws -> E.Output { try encoder.encode([value]) }
    #expect(try String(decoding: encode(3, by: JSONEncoder()), as: UTF8.self) == "[3]")
  }

  @Test func `A model of published properties is what Combine makes of it`() {
    final class Model: ObservableObject {
      @Published var query = ""
      @Published private(set) var results: [String] = []
      private var cancellables: Set<AnyCancellable> = []

      init() {
        $query.removeDuplicates().map { $0.isEmpty ? [] : [$0, $0 + "s"] }.assign(to: &$results)
      }
    }
    let model = Model()
    var changes = 0
    let cancellable = model.objectWillChange.sink { _ in changes += 1 }
    model.query = "pipe"
    #expect(model.results == ["pipe", "pipes"])
    #expect(changes == 2)
    cancellable.cancel()
  }

  @Test func `Queues, run loops, timers, notifications and sessions have their members`() throws {
    let opened = Notification.Name("opened")
    let center = NotificationCenter()
    var seen = 0
    let cancellable = center.publisher(for: opened).compactMap { $0.userInfo?["by"] as? Int }.sink { seen += $0 }
    center.post(name: opened, object: nil, userInfo: ["by": 3])
    #expect(seen == 3)
    cancellable.cancel()

    let timer: AnyPublisher<Date, Never> = Timer.publish(every: 1, on: .main, in: .common).autoconnect()
      .eraseToAnyPublisher()
    timer.sink { _ in }.cancel()

    let url = try #require(URL(string: "http://127.0.0.1:9/"))
    let bodies: AnyPublisher<Data, URLError> = URLSession.shared.dataTaskPublisher(for: url).map(\.data)
      .eraseToAnyPublisher()
    #expect(bodies.description == "AnyPublisher")

    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().schedule { done.signal() }
    OperationQueue().schedule { done.signal() }
    for _ in 0..<2 { #expect(done.wait(timeout: .now() + .seconds(30)) == .success) }
    #expect(DispatchQueue.main.minimumTolerance == .seconds(0))
    #expect(RunLoop.main.minimumTolerance == .seconds(0))
  }
}
