// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockInspector
import PenstockOperators
import PenstockTesting
import Synchronization
import TestSupport
import Testing

private func request(
  _ target: String = "/pipelines.json", _ method: String = "GET",
  _ headers: [String: String] = ["host": "localhost:8080"]
) -> Inspector.Endpoint.Request { .init(method, target) { headers[$0] } }

extension Inspector.Endpoint.Response {
  fileprivate func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

@Suite struct EndpointTests {
  private let local = Inspector.Endpoint(at: "/pipelines")

  private static func remote() -> Inspector.Endpoint {
    var options = Inspector.Endpoint.Options()
    options.hosts = ["tools.example.org"]
    options.token = "four words and more"
    return Inspector.Endpoint(at: "/pipelines", options)
  }

  // MARK: Who may ask

  @Test(arguments: ["localhost", "localhost:8080", "LocalHost:1", "127.0.0.1:8080", "[::1]", "[::1]:8080"])
  func `On this machine it answers under the names of this machine`(_ host: String) async {
    #expect(await local.respond(to: request("/pipelines.json", "GET", ["host": host])).status == 200)
  }

  @Test(arguments: [
    "evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "", "[::2]", "tools.example.org",
  ])
  func `A name that resolves to this machine without being on the list gets no streams`(_ host: String) async {
    let cancellable = PassthroughSubject<Int, Never>().inspected("a secret label").sink { _ in }
    for target in ["/pipelines", "/pipelines.json"] {
      let response = await local.respond(to: request(target, "GET", ["host": host]))
      #expect(response.status == 421)
      #expect(!response.body.contains("a secret label"))
    }
    withExtendedLifetime(cancellable) {}
  }

  @Test func `For a terminal there are trees of text, one for all streams that are alike`() async {
    let subscribers = (1...3).map { _ in SilentSubscriber(Tally()) }
    for subscriber in subscribers { numbers(3).inspected("for a terminal").subscribe(subscriber) }
    let target = "/pipelines.txt?find=for+a+terminal"
    var options = Inspector.Endpoint.Options()
    options.patience = .zero
    let endpoint = Inspector.Endpoint(at: "/pipelines", options)
    let response = await endpoint.respond(to: request(target, "GET", ["host": "localhost"]))
    #expect(response.status == 200 && response.headers[0].value == "text/plain; charset=utf-8")
    #expect(response.body.contains("× 3, all like\n#"), "\(response.body)")
    #expect(response.body.contains("SilentSubscriber asks for nothing, and Sequence has more"), "\(response.body)")
    #expect(await endpoint.respond(to: request(target, "GET", ["host": "evil.example"])).status == 421)
    #expect(await endpoint.respond(to: request(target, "POST", ["host": "localhost"])).status == 405)
    for subscriber in subscribers { subscriber.cancel() }
  }

  @Test func `A request without a host is refused`() async {
    #expect(await local.respond(to: request("/pipelines", "GET", [:])).status == 400)
  }

  @Test(arguments: ["cross-site", "same-site"])
  func `A page of another site gets no streams, and a link may lead to the page`(_ site: String) async {
    let headers = ["host": "localhost", "sec-fetch-site": site]
    #expect(await local.respond(to: request("/pipelines.json", "GET", headers)).status == 403)
    #expect(await local.respond(to: request("/pipelines/counting", "POST", headers)).status == 403)
    #expect(await local.respond(to: request("/pipelines", "GET", headers)).status == 200)
  }

  @Test(arguments: [
    // `any:four words and more`, `:four words and more`
    ("Basic YW55OmZvdXIgd29yZHMgYW5kIG1vcmU=", 200), ("basic OmZvdXIgd29yZHMgYW5kIG1vcmU=", 200),
    ("Bearer four words and more", 200), ("Bearer four words and mor", 401), ("Bearer four words and more!", 401),
    ("Bearer", 401), ("Bearer ", 401), ("Basic four", 401), ("Basic !!!!", 401), ("Digest four words and more", 401),
    ("", 401),
  ])
  func `Under other names it asks for the token, and takes it as a password or as a bearer's`(
    _ authorization: String, _ status: Int
  ) async {
    let headers = ["host": "tools.example.org", "authorization": authorization]
    for target in ["/pipelines", "/pipelines.json"] {
      let response = await Self.remote().respond(to: request(target, "GET", headers))
      #expect(response.status == status)
      #expect((response.header("WWW-Authenticate") != nil) == (status == 401))
    }
  }

  @Test func `Names of other machines without a token trap`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var options = Inspector.Endpoint.Options()
      options.hosts = ["tools.example.org"]
      _ = Inspector.Endpoint(at: "/pipelines", options)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Inspector.Endpoint takes a token, since hosts name more than this machine"))
  }

  // MARK: What it answers

  @Test func `Each answer forbids what a page of streams does not need`() async {
    for target in ["/pipelines", "/pipelines.json", "/elsewhere"] {
      let response = await local.respond(to: request(target))
      #expect(response.header("X-Content-Type-Options") == "nosniff")
      #expect(response.header("X-Frame-Options") == "DENY")
      #expect(response.header("Cache-Control") == "no-store")
      #expect(response.header("Access-Control-Allow-Origin") == nil)
    }
  }

  @Test func `The page runs its own script only, which each answer names anew`() async throws {
    var policies: Set<String> = []
    for _ in 0..<3 {
      let page = await local.respond(to: request("/pipelines"))
      let policy = try #require(page.header("Content-Security-Policy"))
      let nonce = try #require(policy.split(separator: "'nonce-").dropFirst().first?.split(separator: "'").first)
      #expect(policy.hasPrefix("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
      #expect(page.body.contains("<script nonce=\"\(nonce)\">") && page.body.contains("<style nonce=\"\(nonce)\">"))
      #expect(page.body.contains(#"const [address, counting] = ["/pipelines.json","/pipelines/counting"];"#))
      // A policy with a nonce has no effect on attributes: there are none.
      #expect(!page.body.contains("style=") && !page.body.contains("onclick"))
      policies.insert(policy)
    }
    #expect(policies.count == 3)
  }

  @Test(arguments: [
    ("GET", "/", 404), ("GET", "/pipelines/", 404), ("PUT", "/pipelines", 405), ("DELETE", "/pipelines.json", 405),
    ("GET", "/pipelines/counting", 405), ("POST", "/pipelines/counting", 403), ("HEAD", "/pipelines", 200),
  ])
  func `Other requests are refused with a sentence`(_ method: String, _ target: String, _ status: Int) async {
    let response = await local.respond(to: request(target, method))
    #expect(response.status == status)
    #expect(status == 200 || response.body.hasSuffix(".\n"))
  }

  @Test func `It finds streams by a text, and shows no more than its limit`() async {
    var options = Inspector.Endpoint.Options()
    options.limit = 2
    let endpoint = Inspector.Endpoint(at: "/pipelines", options)
    let subject = PassthroughSubject<Int, Never>()
    let cancellables = (0..<5).map { subject.inspected("endpoint limit ü \($0)").sink { _ in } }
    let all = await endpoint.respond(to: request("/pipelines.json?find=endpoint+limit%20%C3%BC")).body
    #expect(all.contains(#""found":5"#))
    #expect(all.components(of: #""title":"#) == 2)
    let one = await endpoint.respond(to: request("/pipelines.json?find=endpoint%20limit%20%C3%BC%203")).body
    #expect(one.contains(#""found":1"#) && one.contains("endpoint limit ü 3"))
    let none = await endpoint.respond(to: request("/pipelines.json?find=%zz%")).body
    #expect(none.contains(#""found":0"#))
    withExtendedLifetime(cancellables) {}
  }

  // MARK: What it blames

  @Test func `A link is blamed after the patience only, with the time, and not when something has moved`() async {
    let start = ContinuousClock.now
    let elapsed = Atomic(0)
    let endpoint = Inspector.Endpoint(at: "/pipelines", .init()) {
      start + .seconds(elapsed.load(ordering: .relaxed))
    }
    let look = request("/pipelines.json?find=endpoint+patience")
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let cancellable = first.zip(second).inspected("endpoint patience").sink { _ in }
    first.send(1)
    for (second, isHeldUp) in [(0, false), (2, false), (3, true), (12, true)] {
      elapsed.store(second, ordering: .relaxed)
      let answer = await endpoint.respond(to: look).body
      #expect(answer.contains("\"unchanged\":\(second).0"), "\(answer)")
      #expect(answer.contains("culprit") == isHeldUp, "after \(second) s")
    }
    first.send(2)
    elapsed.store(14, ordering: .relaxed)
    let answer = await endpoint.respond(to: look).body
    #expect(answer.contains("\"unchanged\":0.0") && !answer.contains("culprit"), "\(answer)")
    withExtendedLifetime(cancellable) {}
  }

  @Test func `Who asks within half a second gets the same look`() async {
    let elapsed = Atomic(0)
    let start = ContinuousClock.now
    let endpoint = Inspector.Endpoint(at: "/pipelines", .init()) {
      start + .milliseconds(elapsed.load(ordering: .relaxed))
    }
    let look = request("/pipelines.json?find=endpoint+cache")
    #expect(await endpoint.respond(to: look).body.contains(#""found":0"#))
    let cancellable = PassthroughSubject<Int, Never>().inspected("endpoint cache").sink { _ in }
    elapsed.store(499, ordering: .relaxed)
    #expect(await endpoint.respond(to: look).body.contains(#""found":0"#))
    elapsed.store(500, ordering: .relaxed)
    #expect(await endpoint.respond(to: look).body.contains(#""found":1"#))
    withExtendedLifetime(cancellable) {}
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { split(separator: part).count - 1 }
}
