// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockInspector
import PenstockOperators
import PenstockTesting
import Testing

/// The page of the pipelines, with streams of the test's own among those of the service.
@Suite(
  "The page of the pipelines in a browser", .serialized, .timeLimit(.minutes(3)),
  .enabled("there is no chromium or no chromedriver: Examples/ItemSearch/browser installs them", { Browser.canRun }))
struct PipelinesPageTests {
  private func visit(_ words: String = "", width: Int = 1200, _ body: (Browser) async throws -> Void) async throws {
    try await TestServer.run { server in
      try await Browser.run { browser in
        try await browser.show(width: width, height: 860, scheme: "light")
        try await browser.open("http://127.0.0.1:\(server.client.port)/pipelines")
        #expect(try await browser.becomes("document.body.dataset.ready === 'true'"))
        // Other tests have streams in the same process.
        _ = try await browser.value(
          of: "(find.value = '\(words)', find.dispatchEvent(new Event('input')), window.looks = 0)")
        _ = try await browser.value(
          of: """
            (() => { const ask = window.fetch;
              window.fetch = async (...all) => { const answer = await ask(...all); window.looks += 1; return answer } })()
            """)
        try await body(browser)
        #expect(try await browser.complaints() == [])
      }
    }
  }

  @Test func `shows streams of one shape once, and lists them when they are opened`() async throws {
    let subject = PassthroughSubject<Int, Never>()
    let alike = (0..<7).map { _ in subject.inspected("alike page").sink { _ in } }
    let other = subject.inspected("alike page").removeDuplicates().inspected("alike page too").sink { _ in }
    try await visit("alike page") { browser in
      #expect(try await browser.becomes("document.querySelectorAll('article').length === 2"))
      #expect(try await browser.value(of: "document.querySelector('.alike').textContent") == "× 7")
      // Without a mouse.
      _ = try await browser.value(of: "document.querySelector('.alike').focus()")
      try await browser.type(Key.enter)
      #expect(try await browser.becomes("document.querySelectorAll('.members li').length === 7"))
      // The focus stays where it is while the page looks again.
      #expect(try await browser.becomes("looks >= 4"))
      #expect(try await browser.value(of: "document.activeElement.className") == "alike")
      _ = try await browser.value(of: "document.querySelectorAll('.members button')[3].click()")
      #expect(try await browser.becomes("document.querySelectorAll('article').length === 1"))
      #expect(try await browser.becomes("document.querySelector('h2 small').textContent === find.value"))
    }
    withExtendedLifetime((alike, other)) {}
  }

  @Test(arguments: [1200, 375])
  func `shows the signals of a link, and copies a marble test that passes`(_ width: Int) async throws {
    let words = PassthroughSubject<String, Never>()
    let place = "<img src=x onerror=seen()> \(width)"
    let cancellable = words.inspected(place) { "value \($0)" }.removeDuplicates().sink { _ in }
    for word in ["a", "b", "b"] { words.send(word) }
    try await visit("onerror=seen()> \(width)", width: width) { browser in
      let box = "[...document.querySelectorAll('.box')].find((box) => box.textContent.includes('onerror'))"
      #expect(try await browser.becomes("document.querySelectorAll('article').length === 1 && \(box) !== undefined"))
      _ = try await browser.value(of: "\(box).focus()")
      try await browser.type(Key.enter)
      #expect(try await browser.becomes("document.querySelectorAll('.signals li').length === 3"))
      #expect(try await browser.value(of: "document.activeElement === \(box)") == "true")
      // The service has not permitted the texts.
      let letters = "[...document.querySelectorAll('.ball')].map((ball) => ball.textContent).join('')"
      #expect(try await browser.value(of: letters) == "abc")
      #expect(try await browser.value(of: "document.body.textContent.includes('value a')") == "false")
      // A newer signal is the last, and the box that has the focus keeps it.
      words.send("c")
      #expect(try await browser.becomes("\(letters) === 'abcd'"))
      #expect(try await browser.value(of: "document.activeElement === \(box)") == "true")
      #expect(try await browser.value(of: "document.documentElement.scrollWidth <= innerWidth") == "true")
      _ = try await browser.value(of: "document.querySelector('.copy').click()")
      #expect(try await browser.becomes("document.querySelector('.ring pre') !== null"))
      let test = try await browser.value(of: "document.querySelector('.ring pre').textContent")
      let lines = test.components(separatedBy: "\"\"\"")[1].split(separator: "\n")
      let diagram = try MarbleDiagram(lines.map { $0.drop { $0 == " " } }.joined(separator: "\n"))
      try diagram.verify { $0.source() }
      // Neither the label nor the text in the test has become an element.
      #expect(try await browser.value(of: "document.querySelectorAll('main img').length") == "0")
      // How it ends is shown, too.
      words.send(completion: .finished)
      #expect(
        try await browser.becomes(
          "document.querySelector('.ball.finished') !== null && document.querySelector('.ring h3').textContent.includes('has ended')"
        ))
      _ = try await browser.value(of: "document.querySelector('.close').click()")
      #expect(try await browser.becomes("document.querySelector('.ring') === null"))
    }
    withExtendedLifetime(cancellable) {}
  }

  @Test func `lets marbles run when values have passed, and none where motion is unwelcome`() async throws {
    let numbers = PassthroughSubject<Int, Never>()
    let cancellable = numbers.inspected("marbles run").removeDuplicates().sink { _ in }
    try await visit("marbles run") { browser in
      #expect(try await browser.becomes("document.querySelectorAll('article').length === 1"))
      _ = try await browser.value(
        of: """
          (() => { window.marbles = 0;
            new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach((node) => {
              if (node.classList?.contains('marble')) marbles += 1 }))).observe(list, { childList: true, subtree: true }) })()
          """)
      #expect(try await browser.becomes("looks >= 2"))
      #expect(try await browser.value(of: "marbles") == "0")
      numbers.send(1)
      #expect(try await browser.becomes("marbles > 0 && document.querySelector('.badge').textContent === 'flows'"))
      // They go when they have arrived.
      #expect(try await browser.becomes("document.querySelectorAll('.marble').length === 0"))
      _ = try await browser.value(of: "(marbles = 0, Object.defineProperty(still, 'matches', { value: true }))")
      numbers.send(2)
      #expect(try await browser.becomes("document.querySelector('article').textContent.includes('2 values')"))
      #expect(try await browser.value(of: "marbles") == "0")
    }
    withExtendedLifetime(cancellable) {}
  }
}
