// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Combine
import Foundation
import Shop
import Testing

/// Responds to requests by a script.
private final class ScriptedTransport: Transport {
  enum Answer {
    case status(Int, String)
    case error(URLError.Code)
  }

  var answers: [Answer]
  private(set) var requests: [URLRequest] = []

  init(_ answers: [Answer]) { self.answers = answers }

  func load(_ request: URLRequest) -> AnyPublisher<(data: Data, response: URLResponse), URLError> {
    Deferred { [self] in
      requests.append(request)
      switch answers.removeFirst() {
      case .status(let status, let body):
        let response = HTTPURLResponse(url: request.url!, statusCode: status, httpVersion: nil, headerFields: nil)!
        return Result<(data: Data, response: URLResponse), URLError>.Publisher((Data(body.utf8), response))
      case .error(let code):
        return Result<(data: Data, response: URLResponse), URLError>.Publisher(URLError(code))
      }
    }.eraseToAnyPublisher()
  }
}

@Suite struct CatalogueServiceTests {
  private let body = #"[{"id": 1, "title": "Gate", "price": 10}]"#

  private func load(_ answers: [ScriptedTransport.Answer]) -> (String, requests: Int) {
    let transport = ScriptedTransport(answers)
    let service = CatalogueService(transport: transport, base: URL(string: "http://shop.example")!)
    var log: [String] = []
    let cancellable = service.items(matching: "ga te").sink(
      receiveCompletion: { log.append("\($0)") }, receiveValue: { log.append($0.map(\.title).joined()) })
    cancellable.cancel()
    return (log.joined(separator: " "), transport.requests.count)
  }

  @Test func `An answer is decoded`() {
    #expect(load([.status(200, body)]) == ("Gate finished", 1))
  }

  @Test func `The text is part of the request`() {
    let transport = ScriptedTransport([.status(200, "[]")])
    let service = CatalogueService(transport: transport, base: URL(string: "http://shop.example")!)
    service.items(matching: "ga te").sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
    #expect(transport.requests.first?.url?.absoluteString == "http://shop.example/items?title=ga%20te")
    #expect(transport.requests.first?.value(forHTTPHeaderField: "Accept") == "application/json")
  }

  @Test func `A busy server is asked again, twice`() {
    #expect(load([.status(503, ""), .status(503, ""), .status(200, body)]) == ("Gate finished", 3))
    #expect(load(Array(repeating: .status(503, ""), count: 9)).requests == 3)
  }

  @Test func `Other failures count at once`() {
    #expect(load([.status(404, "")]) == ("failure(Shop.ServiceError.status(404))", 1))
    #expect(load([.status(200, "no JSON")]) == ("failure(Shop.ServiceError.unreadable)", 1))
    #expect(load([.error(.timedOut)]).requests == 1)
  }

  @Test func `A future has the item, or the error`() async throws {
    let transport = ScriptedTransport([.status(200, body), .status(200, body), .status(404, "")])
    let service = CatalogueService(transport: transport, base: URL(string: "http://shop.example")!)
    #expect(try await service.item(1).value?.title == "Gate")
    #expect(try await service.item(2).value == nil)
    await #expect(throws: ServiceError.status(404)) { try await service.item(1).value }
  }
}

@Suite struct SignUpFormTests {
  private func makeForm(taken: Set<String> = []) -> SignUpForm {
    SignUpForm(
      isAvailable: { Just(!taken.contains($0)).eraseToAnyPublisher() }, pause: .zero,
      scheduler: ImmediateScheduler.shared)
  }

  @Test func `An empty form says what is missing`() {
    let form = makeForm()
    #expect(form.problems == [.nameTooShort, .addressInvalid, .passwordTooShort])
    #expect(!form.canSubmit)
  }

  @Test func `A form that is filled in can be submitted`() {
    let form = makeForm()
    form.name = "penny"
    form.address = "penny@example.org"
    form.password = "longenough"
    #expect(form.problems == [.passwordsDiffer])
    form.repeatedPassword = "longenough"
    #expect(form.problems.isEmpty)
    #expect(form.canSubmit)
    form.address = "@"
    #expect(form.problems == [.addressInvalid])
    #expect(!form.canSubmit)
  }

  @Test func `A name may be taken`() {
    let form = makeForm(taken: ["penny"])
    form.name = "penny"
    #expect(form.problems.contains(.nameTaken))
    form.name = "jenny"
    #expect(!form.problems.contains(.nameTaken))
  }

  @Test func `Every change is announced before it happens`() {
    let form = makeForm()
    var seen: [String] = []
    let cancellable = form.objectWillChange.sink { [unowned form] in seen.append(form.name) }
    form.name = "pen"
    #expect(seen.first == "")
    #expect(form.name == "pen")
    cancellable.cancel()
  }
}

@Suite struct ListModelTests {
  private let items = [Item(id: 1, title: "Gate", price: 10), Item(id: 2, title: "Pipe", price: 5)]

  @Test func `A query loads, and a newer one replaces it`() {
    var answers: [String: PassthroughSubject<[Item], ServiceError>] = [:]
    let model = ListModel(
      search: { query in
        let answer = PassthroughSubject<[Item], ServiceError>()
        answers[query] = answer
        return answer.eraseToAnyPublisher()
      },
      pause: .zero, scheduler: ImmediateScheduler.shared)
    #expect(model.state == .loading)
    model.query = "a"
    model.query = "b"
    answers["a"]?.send(items)
    #expect(model.state == .loading)
    answers["b"]?.send([items[1]])
    #expect(model.state == .loaded([items[1]]))
    model.refresh.send()
    #expect(model.state == .loading)
    answers["b"]?.send(completion: .failure(.unreadable))
    #expect(model.state == .failed(.unreadable))
  }

  @Test func `Purchases add up until the end`() {
    let model = CatalogueModel(
      search: { _ in Empty(completeImmediately: false).eraseToAnyPublisher() }, pause: .zero,
      scheduler: ImmediateScheduler.shared)
    var announcements = 0
    let cancellable = model.objectWillChange.sink { announcements += 1 }
    model.add(items[0], count: 2)
    #expect(model.total == 20)
    model.query = "x"
    #expect(announcements == 3)  // The total, the query, and the state that the query leads to.
    model.add(items[1])
    #expect(model.history == ["1. 2 × Gate", "2. 1 × Pipe"])
    model.checkOut()
    model.add(items[1])
    #expect(model.total == 25)
    cancellable.cancel()
  }

  @Test func `Nothing of a model is left`() {
    weak var weakModel: ListModel?
    do {
      let model = ListModel(
        search: { _ in Empty(completeImmediately: false).eraseToAnyPublisher() }, pause: .zero,
        scheduler: ImmediateScheduler.shared)
      weakModel = model
      model.query = "x"
    }
    #expect(weakModel == nil)
  }
}

@Suite struct SourcesTests {
  @Test func `A monitor counts notifications and ticks`() {
    let center = NotificationCenter()
    let clock = PassthroughSubject<Date, Never>()
    let monitor = Monitor(center: center, clock: clock)
    var before: [Int] = []
    let cancellable = monitor.objectWillChange.sink { [unowned monitor] in before.append(monitor.changes) }
    center.post(name: .stockChanged, object: nil)
    clock.send(Date())
    #expect(monitor.changes == 2)
    #expect(before == [0, 1])
    cancellable.cancel()
  }

  @Test func `A countdown counts as far as it is asked to`() async {
    let batches = Batches(of: 3)
    Countdown(from: 7).subscribe(batches)
    #expect(batches.batches == [[7, 6, 5], [4, 3, 2], [1, 0]])
    var collected: [Int] = []
    for await number in Countdown(from: 3).values { collected.append(number) }
    #expect(collected == [3, 2, 1, 0])
  }
}
