// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import LoopbackClient
import NIOCore
import Testing

/// Chromium without a window, driven by the protocol of W3C's WebDriver.
struct Browser {
  static let programs = ["chromium", "chromedriver"].map { name in
    ["/usr/bin/\(name)", "/usr/local/bin/\(name)", "/snap/bin/\(name)"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// On a machine without them the tests are skipped; in CI they fail.
  static var canRun: Bool {
    programs.allSatisfy { $0 != nil } || ProcessInfo.processInfo.environment["PENSTOCK_CI"] == "1"
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let client: Client
  private var session = ""

  /// Starts a browser, and stops it when `body` returns.
  static func run(_ body: (Browser) async throws -> Void) async throws {
    guard let chromium = programs[0], let driver = programs[1] else {
      throw Failure(description: "there is no chromium or no chromedriver: run Examples/ItemSearch/browser")
    }
    let (program, port) = try start(driver)
    // Its browser has been closed by then.
    defer { program.kill() }
    var browser = Browser(client: Client(port: port))
    // Chromium refuses to run as root without --no-sandbox, and CI does.
    let options: [String: any Sendable] = [
      "binary": chromium,
      "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"],
    ]
    let capabilities: [String: any Sendable] = [
      "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"],
      "timeouts": ["script": 60_000],
    ]
    let answer = try await browser.call("", ["capabilities": ["alwaysMatch": capabilities]])
    browser.session = "/\((answer as? [String: Any])?["sessionId"] as? String ?? "")"
    do {
      try await body(browser)
    } catch {
      try? await browser.close()
      throw error
    }
    try await browser.close()
  }

  /// Starts the driver on a free port.
  ///
  /// The driver takes a port that is free for one version of the Internet protocol, and ends if the port is not free
  /// for the other.
  private static func start(_ driver: String) throws -> (Program, port: Int) {
    for _ in 1...5 {
      let program = try Program(driver, ["--port=0"])
      if let (_, port) = program.printsIfItRuns(/started successfully on port (\d+)/) { return (program, Int(port)!) }
    }
    throw Failure(description: "\(driver) ends as soon as it starts: run it by hand with --port=0 to see why")
  }

  private init(client: Client) { self.client = client }

  private func close() async throws {
    let session = session
    _ = try await client.connected { connection in try await connection.request(.DELETE, "/session\(session)") }
  }

  @discardableResult
  private func call(_ path: String, _ body: [String: any Sendable]) async throws -> Any {
    let bytes = ByteBuffer(bytes: try JSONSerialization.data(withJSONObject: body))
    let address = "/session\(session)\(path)"
    let text = try await client.connected { connection in
      try await connection.request(.POST, address, body: bytes).text
    }
    let answer = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let value = answer?["value"] ?? NSNull()
    if let error = value as? [String: Any], let message = error["message"] as? String, error["error"] != nil {
      throw Failure(description: "\(path): \(message)")
    }
    return value
  }

  /// Loads a page.
  func open(_ address: String) async throws { try await call("/url", ["url": address]) }

  /// Opens a tab, and shows it.
  func openTab() async throws {
    let tab = try await call("/window/new", ["type": "tab"]) as? [String: Any]
    try await call("/window", ["handle": tab?["handle"] as? String ?? ""])
  }

  /// Shows the tab that was there first.
  func showFirstTab() async throws {
    let tabs = try await get("/window/handles") as? [String] ?? []
    try await call("/window", ["handle": tabs.first ?? ""])
  }

  /// Gives the page a size, and the colours that its reader prefers.
  func show(width: Int, height: Int, scheme: String) async throws {
    try await call(
      "/goog/cdp/execute",
      [
        "cmd": "Emulation.setDeviceMetricsOverride",
        "params": ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false] as [String: any Sendable],
      ])
    try await call(
      "/goog/cdp/execute",
      [
        "cmd": "Emulation.setEmulatedMedia",
        "params": ["features": [["name": "prefers-color-scheme", "value": scheme]]] as [String: any Sendable],
      ])
  }

  /// Returns the value of a JavaScript expression, as text.
  func value(of expression: String) async throws -> String {
    let value = try await call("/execute/sync", ["script": "return String(await (\(expression)))", "args": [String]()])
    return value as? String ?? ""
  }

  /// Waits until an expression is true, checking it whenever the page is drawn.
  func becomes(_ expression: String) async throws -> Bool {
    try await value(
      of: """
        new Promise((resolve) => {
          const end = performance.now() + 30000;
          const look = () => (\(expression)) ? resolve(true) : performance.now() > end ? resolve(false) : setTimeout(look, 10);
          look();
        })
        """) == "true"
  }

  /// Presses keys one after the other, with a pause after each.
  func type(_ keys: String, pause: Int = 40) async throws {
    let actions = keys.flatMap { key -> [[String: any Sendable]] in
      [
        ["type": "keyDown", "value": String(key)], ["type": "keyUp", "value": String(key)],
        ["type": "pause", "duration": pause],
      ]
    }
    let source: [String: any Sendable] = ["type": "key", "id": "keyboard", "actions": actions]
    try await call("/actions", ["actions": [source]])
  }

  /// Returns the errors that the page has reported.
  func complaints() async throws -> [String] {
    let entries = try await call("/se/log", ["type": "browser"]) as? [[String: Any]] ?? []
    return entries.filter { $0["level"] as? String == "SEVERE" }.map { "\($0["message"] ?? "")" }
  }

  /// Returns a picture of the visible page, as PNG.
  func picture() async throws -> Data {
    guard let data = Data(base64Encoded: try await get("/screenshot") as? String ?? "") else {
      throw Failure(description: "there is no picture")
    }
    return data
  }

  private func get(_ path: String) async throws -> Any {
    let session = session
    let text = try await client.connected { connection in
      try await connection.request(.GET, "/session\(session)\(path)").text
    }
    let answer = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return answer?["value"] ?? NSNull()
  }
}

/// Keys without a letter, as WebDriver names them.
enum Key {
  static let enter = "\u{E007}"
  static let escape = "\u{E00C}"
  static let up = "\u{E013}"
  static let down = "\u{E015}"
  static let backspace = "\u{E003}"
}
