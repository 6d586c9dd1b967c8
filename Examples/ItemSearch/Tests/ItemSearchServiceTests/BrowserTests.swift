// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import ItemDatabase
import Penstock
import PenstockInspector
import PenstockTesting
import Testing

@Suite(
  "The page in a browser", .serialized, .timeLimit(.minutes(3)),
  .enabled("there is no chromium or no chromedriver: Examples/ItemSearch/browser installs them", { Browser.canRun }))
struct BrowserTests {
  /// Opens the page in a new browser, and checks for errors at the end.
  private func visit(_ body: (Browser, TestServer) async throws -> Void) async throws {
    try await TestServer.run { server in
      try await Browser.run { browser in
        try await browser.show(width: 1200, height: 860, scheme: "light")
        try await open(browser, server)
        try await body(browser, server)
        #expect(try await browser.complaints() == [])
      }
    }
  }

  private func open(_ browser: Browser, _ server: TestServer) async throws {
    try await browser.open("http://127.0.0.1:\(server.client.port)/?q=&pace=0")
    #expect(try await browser.becomes("document.querySelector('#origin').textContent.includes('218 items')"))
  }

  private func sums(_ browser: Browser) async throws -> String {
    try await browser.value(of: "Object.values(itemSearch.sums).join(' ')")
  }

  private let names = "[...document.querySelectorAll('#items .name')].map(name => name.textContent).join(' ')"

  @Test func `makes one query of what is typed quickly`() async throws {
    try await visit { browser, server in
      let isOne = try await attempts {
        let before = server.counts.now.began
        try await open(browser, server)
        try await browser.type("pelton")
        #expect(try await browser.becomes("document.querySelectorAll('#items li').length === 3"))
        return try await sums(browser) == "6 1 0 1" && server.counts.now.began == before + 1
      }
      #expect(isOne)
      #expect(try await browser.value(of: names).contains("pelton-turbine-5kw"))
      #expect(try await browser.value(of: "document.querySelector('#items mark').textContent") == "pelton")
      // A marble for each key, and one answer.
      #expect(try await browser.value(of: "document.querySelectorAll('#strip g.key').length") == "6")
      #expect(try await browser.value(of: "document.querySelector('#strip .answer').textContent") == "3")
      #expect(try await browser.value(of: "document.querySelectorAll('#strip .wait:not(.cut-off)').length") == "1")
    }
  }

  @Test func `never shows an answer that is out of date`() async throws {
    try await visit { browser, _ in
      _ = try await browser.value(
        of: """
          (() => {
            window.seen = new Set();
            new MutationObserver(() => document.querySelectorAll("#items .name").forEach((name) => seen.add(name.textContent)))
              .observe(document.querySelector("#items"), { childList: true });
            document.querySelector("#pace [value='2500']").click();
          })()
          """)
      try await browser.type("pelton")
      #expect(try await browser.becomes("itemSearch.sums.queries >= 1"))
      _ = try await browser.value(of: "document.querySelector(\"#pace [value='0']\").click()")
      try await browser.type(String(repeating: Key.backspace, count: 6) + "kaplan", pause: 5)
      #expect(
        try await browser.becomes(
          "itemSearch.sums.answers === 1 && document.querySelectorAll('#items li').length === 3"))
      #expect(try await browser.becomes("itemSearch.isIdle"))
      let isComplete = "itemSearch.sums.gone >= 1 && itemSearch.sums.queries === itemSearch.sums.gone + 1"
      #expect(try await browser.value(of: isComplete) == "true")
      #expect(try await browser.value(of: "[...seen].every((name) => name.startsWith('kaplan'))") == "true")
      #expect(try await browser.value(of: "document.querySelectorAll('#strip .flight.gone').length > 0") == "true")
      #expect(try await browser.value(of: "document.querySelectorAll('#strip .flight.done').length") == "1")
    }
  }

  /// The stream's own recording, pasted: in virtual time, the pipeline does what it has done in the browser.
  @Test func `gives a marble test of what was typed, and it passes`() async throws {
    try await visit { browser, server in
      let text = "pelton-turbine-5kw"
      let passes = try await attempts {
        try await open(browser, server)
        try await browser.type(text, pause: 5)
        #expect(try await browser.becomes("document.querySelectorAll('#items li').length === 1"))
        // Other tests have visitors as well, which type something shorter.
        let ofThisVisitor = Inspector.snapshot().streams.first { stream in
          stream["typed"]?.described?.signals.contains { $0.kind == .value("\(text.count)") } == true
        }
        let test = try #require(ofThisVisitor).marbleTest(from: "typed", to: "shown", step: .milliseconds(100))
        let lines = test.components(separatedBy: "\"\"\"")[1].split(separator: "\n")
        let diagram = try MarbleDiagram(lines.map { $0.drop { $0 == " " } }.joined(separator: "\n"))
        do {
          try diagram.verify { bench in
            bench.source()
              .removeDuplicates()
              .debounce(for: 0.3, scheduler: bench.scheduler)
              .map { Just($0 == "\(text.count)" ? "1" : "0") }
              .switchToLatest()
          }
          return true
        } catch let mismatch as MarbleMismatch {
          // One of them was delayed by the machine for longer than half a step.
          print(mismatch)
          return false
        }
      }
      #expect(passes)
    }
  }

  @Test func `can be used without a mouse`() async throws {
    try await visit { browser, _ in
      // The field has the focus from the start.
      try await browser.type("pelton")
      #expect(try await browser.becomes("document.querySelectorAll('#items li').length === 3"))
      try await browser.type(Key.down + Key.down + Key.up + Key.down)
      let chosen = "document.querySelector('#items [aria-selected=true]').id"
      #expect(try await browser.value(of: "\(chosen) === document.querySelectorAll('#items li')[1].id") == "true")
      #expect(
        try await browser.value(
          of: "\(chosen) === document.querySelector('#filter').getAttribute('aria-activedescendant')")
          == "true")
      try await browser.type(Key.enter)
      #expect(try await browser.becomes("document.querySelector('#details dl').textContent.includes('high head')"))
      #expect(try await browser.value(of: "document.querySelectorAll('.attempts .won').length") == "1")
      try await browser.type(Key.escape)
      #expect(try await browser.value(of: "document.querySelector('#details').hidden") == "true")
      try await browser.type(Key.escape + Key.escape)
      #expect(try await browser.value(of: "document.querySelector('#filter').value") == "")
      #expect(try await browser.becomes("document.querySelectorAll('#items li').length === 0"))
      _ = try await browser.value(of: "document.activeElement.blur()")
      try await browser.type("/")
      #expect(try await browser.value(of: "document.activeElement.id + document.activeElement.value") == "filter")
    }
  }

  @Test func `tells when the token has expired, and renews it`() async throws {
    try await visit { browser, _ in
      try await browser.type("pelton")
      #expect(try await browser.becomes("document.querySelectorAll('#items li').length === 3"))
      for _ in 1...8 {
        try await browser.type(Key.enter)
        #expect(try await browser.becomes("document.querySelectorAll('.attempts .won').length === 1"))
      }
      try await browser.type(Key.enter)
      #expect(try await browser.becomes("!document.querySelector('#details .trouble').hidden"))
      // It has not been tried again.
      #expect(try await browser.value(of: "document.querySelectorAll('.attempts span').length") == "1")
      _ = try await browser.value(of: "document.querySelector('#renew').click()")
      #expect(try await browser.becomes("document.querySelectorAll('.attempts .won').length === 1"))
    }
  }

  /// Opens the page, and in addition a visitor that types, but reads its stream no further than its own name.
  ///
  /// Both type until the visitor is held back: see `TestServer.holdsBack(after:)`. Each time, the page's answer is
  /// awaited.
  private func visitBesideOneThatDoesNotRead(
    prepare: (Browser) async throws -> Void = { _ in }, _ body: (Browser, TestServer) async throws -> Void
  ) async throws {
    let items = (0..<40).map { number in
      ItemRecord(name: "item-\(number)", summary: "large " + String(repeating: "x", count: 60_000))
    }
    try await TestServer.run(items: .records(items + [ItemRecord(name: "small", summary: "little")])) { server in
      try await Browser.run { browser in
        try await prepare(browser)
        try await browser.open("http://127.0.0.1:\(server.client.port)/?q=&pace=0")
        _ = try await browser.value(
          of: """
            (async () => {
              const stream = (await fetch("/events")).body.getReader();
              const text = new TextDecoder().decode((await stream.read()).value);
              window.idle = { stream, id: text.match(/"id":"(.*?)"/)[1] };
            })()
            """)
        #expect(await becomes { server.visitors.count == 2 })
        var rounds = 0
        while rounds < 60, !server.holdsBack(after: rounds) {
          rounds += 1
          _ = try await browser.value(
            of:
              "fetch(`/visitors/${idle.id}/filter?key=\(rounds)`, { method: 'POST', body: 'large ' + 'x'.repeat(\(rounds)) })"
          )
          // The page's own answer arrives when typing has paused for both.
          _ = try await browser.value(
            of: "(document.querySelector('#filter').value = '', document.querySelector('#filter').focus())")
          try await browser.type(rounds.isMultiple(of: 2) ? "small" : "little", pause: 5)
          #expect(try await browser.becomes("itemSearch.sums.answers === \(rounds)"))
        }
        #expect(server.holdsBack(after: rounds), "\(rounds) rounds")
        try await body(browser, server)
      }
    }
  }

  @Test func `slows down its own pipeline when it doesn't read`() async throws {
    try await visitBesideOneThatDoesNotRead { _, _ in }
  }

  @Test(arguments: [("light", 1200), ("dark", 400)])
  func `shows among the pipelines which one its visitor holds up`(scheme: String, width: Int) async throws {
    try await visitBesideOneThatDoesNotRead { _ in
    } _: { _, server in
      // In a browser of its own, so that both visitors stay: the page lets nobody frame it.
      try await Browser.run { browser in
        try await browser.show(width: width, height: 860, scheme: scheme)
        try await browser.open("http://127.0.0.1:\(server.client.port)/pipelines")
        // Other tests have visitors that are held up in their own ways.
        let stuck = "[...document.querySelectorAll('article.stuck')]"
        let held = "\(stuck).find((stream) => stream.querySelector('.box.culprit b')?.textContent === 'values')"
        #expect(try await browser.becomes("\(held) !== undefined"))
        let why = try await browser.value(of: "\(held)?.querySelector('.why').textContent ?? ''")
        #expect(why.hasPrefix("no task is reading") || why.hasPrefix("values asks for nothing"), "\(why)")
        // The other page's visitor, and the streams behind the lists of both, exist and are not reported as stuck.
        #expect(try await browser.becomes("document.querySelectorAll('article:not(.stuck)').length >= 3"))
        #expect(try await browser.value(of: "document.documentElement.scrollWidth <= innerWidth") == "true")
        // What is to blame is in view, on a narrow screen, too.
        let inView = """
          (() => { const box = \(held)?.querySelector('.culprit').getBoundingClientRect();
            const frame = \(held)?.querySelector('.scroll').getBoundingClientRect();
            return box !== undefined && box.left >= 0 && box.right <= innerWidth + 1
              && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1 })()
          """
        #expect(try await browser.becomes(inView))
        // A text that is selected stays so while the page looks again.
        _ = try await browser.value(
          of: "(() => { getSelection().selectAllChildren(\(held).querySelector('.why')); window.looks = 0;"
            + " const ask = window.fetch; window.fetch = (...all) => { window.looks += 1; return ask(...all) } })()")
        #expect(try await browser.becomes("window.looks >= 3"))
        #expect(try await browser.value(of: "getSelection().toString()") == why)
        _ = try await browser.value(of: "getSelection().removeAllRanges()")
        #expect(try await browser.complaints().isEmpty)
        try keep(try await browser.picture(), as: "pipelines-\(width == 400 ? "narrow" : "wide")-\(scheme)")
      }
    }
  }

  @Test func `types by itself until the first key, which is the visitor's`() async throws {
    try await TestServer.run { server in
      try await Browser.run { browser in
        try await browser.open("http://127.0.0.1:\(server.client.port)/")
        #expect(try await browser.becomes("document.querySelector('#filter').value === 'postgres'"))
        #expect(try await browser.becomes("document.querySelector('#strip g.key') !== null"))
        #expect(
          try await browser.becomes("document.querySelector('#status').textContent.startsWith('Nothing begins with')"))
        try await browser.type("p")
        #expect(try await browser.value(of: "document.querySelector('#filter').value") == "p")
        #expect(try await browser.value(of: "document.querySelector('#filter').className") == "")
        #expect(try await browser.value(of: "document.querySelector('.sums .key').innerText.trim()") == "1 key")
        try await browser.type("elton")
        #expect(try await browser.becomes("document.querySelectorAll('#items li').length === 3"))
        #expect(try await browser.value(of: "document.querySelector('.sums .key').innerText.trim()") == "6 keys")
        #expect(try await browser.complaints() == [])
      }
    }
  }

  @Test func `works in seven tabs, since one that nobody sees gives its connection back`() async throws {
    try await visit { browser, server in
      for _ in 2...7 {
        try await browser.openTab()
        // A tab in the background keeps its connection for five seconds; the newest one waits until one is free.
        try await browser.open("http://127.0.0.1:\(server.client.port)/?q=&pace=0")
        #expect(try await browser.becomes("itemSearch.isConnected"))
      }
      try await browser.type("pelton")
      #expect(try await browser.becomes("document.querySelectorAll('#items li').length === 3"))
      #expect(await becomes { server.visitors.count == 1 })
      // The first one goes on where it was.
      try await browser.showFirstTab()
      #expect(try await browser.becomes("itemSearch.isConnected"))
      try await browser.type("kaplan")
      #expect(try await browser.becomes("document.querySelectorAll('#items li').length === 3"))
    }
  }

  @Test func `says so when the server does not answer`() async throws {
    try await visit { browser, _ in
      _ = try await browser.value(
        of: """
          (() => { window.fetch = (_, { signal }) => new Promise((_, reject) =>
            signal.addEventListener("abort", () => reject(signal.reason))) })()
          """)
      try await browser.type("p")
      #expect(
        try await browser.becomes(
          "document.querySelector('#status').textContent.startsWith('The server does not answer')"))
    }
  }

  @Test func `shows the first result above a phone's keyboard, and the details below the list`() async throws {
    try await visit { browser, _ in
      try await browser.show(width: 375, height: 812, scheme: "light")
      try await browser.type("pelton")
      #expect(try await browser.becomes("document.querySelectorAll('#items li').length === 3"))
      let top = "document.querySelector('#items li').getBoundingClientRect().bottom"
      // A keyboard covers the lower two fifths.
      #expect(try await browser.value(of: "\(top) < 0.6 * 812") == "true")
      try await browser.type(Key.enter)
      #expect(try await browser.becomes("document.querySelector('#details dl').textContent.includes('high head')"))
      let isBelow = "document.querySelector('#details').getBoundingClientRect().top >= \(top)"
      #expect(try await browser.value(of: isBelow) == "true")
      try keep(try await browser.picture(), as: "search-phone")
      _ = try await browser.value(of: "document.querySelector('#close').click()")
      #expect(try await browser.value(of: "document.querySelector('#details').hidden") == "true")
      _ = try await browser.value(of: "document.querySelector('#fold').click()")
      #expect(
        try await browser.value(of: "document.querySelector('#strip').getBoundingClientRect().height > 200") == "true")
    }
  }

  @Test(arguments: [("light", 1200), ("dark", 1200), ("light", 400), ("dark", 400)])
  func `fits its window, in light and in dark`(scheme: String, width: Int) async throws {
    try await visit { browser, server in
      try await browser.show(width: width, height: width > 400 ? 740 : 800, scheme: scheme)
      let isSuperseded = try await attempts {
        try await open(browser, server)
        _ = try await browser.value(of: "document.querySelector(\"#pace [value='800']\").click()")
        try await browser.type("gate", pause: 80)
        #expect(try await browser.becomes("itemSearch.sums.queries >= 1"))
        try await browser.type(" va", pause: 80)
        #expect(try await browser.becomes("document.querySelectorAll('#items li').length === 4 && itemSearch.isIdle"))
        return try await sums(browser) == "7 2 1 1"
      }
      #expect(isSuperseded)
      // At this point time stands still on the strip.
      #expect(try await browser.becomes("!document.querySelector('#strip').classList.contains('goes-on')"))
      #expect(try await browser.value(of: "document.documentElement.scrollWidth <= innerWidth") == "true")
      let colours = try await browser.value(
        of:
          "[getComputedStyle(document.documentElement).backgroundColor, getComputedStyle(document.body).color].join(' ')"
      )
      #expect(colours.hasPrefix(scheme == "light" ? "rgb(250, 249, 245)" : "rgb(18, 21, 28)"))
      let picture = try await browser.picture()
      #expect(picture.count > 10_000)
      if scheme == "light" { try keep(picture, as: "search-\(width == 400 ? "narrow" : "wide")") }
    }
  }

  /// Writes a picture if the environment names a folder: the README's pictures are made in this way.
  private func keep(_ picture: Data, as name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["PENSTOCK_PICTURES"] else { return }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try picture.write(to: URL(filePath: folder).appending(path: "\(name).png"))
  }
}
