// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Testing

/// A source file of the project.
struct SourceFile: CustomTestStringConvertible, Sendable {
  let path: String
  let text: String
  let lines: [String]

  /// The lines of code with their numbers, from 1; comments are left out.
  let code: [(number: Int, text: String)]

  var testDescription: String { path }

  init(path: String, text: String) {
    self.path = path
    self.text = text
    lines = text.components(separatedBy: "\n")
    code = lines.enumerated().map { ($0.offset + 1, $0.element) }.filter {
      !$0.1.drop { $0 == " " }.hasPrefix("//")
    }
  }

  /// All Swift files below a folder of the package.
  static func all(below folder: String) -> [SourceFile] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let base = root.appending(path: folder)
    let names = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    // A link is the file that it leads to: CombineTesting consists of them.
    let isLink = { (name: String) in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: base.appending(path: name).path)) != nil
    }
    return names.filter { ($0.hasSuffix(".swift") || $0.hasSuffix(".md")) && !isLink($0) }.sorted().map { name in
      SourceFile(
        path: folder + "/" + name,
        text: (try? String(contentsOf: base.appending(path: name), encoding: .utf8)) ?? "")
    }
  }

  static let sources = all(below: "Sources").filter { $0.path.hasSuffix(".swift") }
  static let tests = all(below: "Tests").filter { $0.path.hasSuffix(".swift") }
  static let core = sources.filter { $0.path.hasPrefix("Sources/PenstockCore/") }
  static let kit = sources.filter { $0.path.hasPrefix("Sources/PenstockTesting/Kit/") }
  static let beyond = sources.filter { $0.path.hasPrefix("Sources/PenstockOperators/") }
  static let beyondFoundation = sources.filter { $0.path.hasPrefix("Sources/PenstockOperatorsFoundation/") }
  static let operators =
    (core.filter { $0.path.contains("/Operators/") } + beyond + beyondFoundation).filter {
      !$0.isEngine && !$0.path.contains("/Messages/")
    }

  /// The modules that the code imports, with the line of each.
  var imports: [(number: Int, module: String)] {
    code.compactMap { number, line in
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"), place + 1 < words.count, place < 3 else { return nil }
      return (number, String(words[place + 1]))
    }
  }
}

extension String {
  /// Whether a text is part of this one, byte by byte.
  ///
  /// `contains` compares characters, and these tests call it a million times.
  func mentions(_ text: String) -> Bool { strstr(self, text) != nil }
}

/// The rules of the project that can be checked by reading its source.
@Suite struct SourceTests {
  @Test func `There is source to read`() {
    #expect(SourceFile.core.count > 30)
    #expect(SourceFile.operators.count > 3)
    #expect(SourceFile.beyond.count > 5 && SourceFile.beyondFoundation.count > 1)
    #expect(SourceFile.tests.count > 10)
  }

  @Test(arguments: SourceFile.sources + SourceFile.tests)
  fileprivate func `Every file begins with the licence`(_ file: SourceFile) {
    #expect(file.lines.first == "// SPDX-License-Identifier: MIT")
  }

  @Test(arguments: SourceFile.core)
  fileprivate func `The core imports nothing but the standard library, collections and, behind the API, C`(
    _ file: SourceFile
  ) {
    let everywhere: Set<String> = ["Synchronization", "DequeModule", "HeapModule"]
    let behind: Set<String> = [
      "Glibc", "Musl", "Android", "Darwin", "ObjectiveC", "WinSDK", "WASILibc", "wasi_pthread",
    ]
    for (number, module) in file.imports {
      let allowed =
        everywhere.contains(module)
        || (behind.contains(module) && (file.isEngine || file.path.contains("Breakpoint")))
      #expect(allowed, "\(file.path):\(number) imports \(module)")
    }
  }

  @Test(arguments: SourceFile.beyond)
  fileprivate func `The operators beyond Combine import nothing but the core, the standard library and collections`(
    _ file: SourceFile
  ) {
    for (number, module) in file.imports {
      let allowed: Set = ["PenstockCore", "Synchronization", "DequeModule", "HeapModule"]
      #expect(allowed.contains(module), "\(file.path):\(number) imports \(module)")
    }
  }

  /// They are compiled over other Combines as well, in which the modules have other names.
  @Test func `The folders of CombineTesting name no module of the library but in one file`() {
    let folders = ["PenstockTesting/VirtualTime/", "PenstockTesting/Marbles/", "PenstockOperators/Schedulers/"]
    let files = SourceFile.sources.filter { file in folders.contains { file.path.hasPrefix("Sources/" + $0) } }
    #expect(files.count > 40)
    for file in files {
      for (number, module) in file.imports where !["DequeModule", "HeapModule"].contains(module) {
        Issue.record("\(file.path):\(number) imports \(module)")
      }
    }
  }

  @Test(arguments: SourceFile.kit)
  fileprivate func `The test kit names a Combine in one file, and stands on nothing else but the system`(
    _ file: SourceFile
  ) {
    for (number, module) in file.imports where !file.path.hasSuffix("Kit/Imports.swift") {
      let allowed = ["Glibc", "Musl", "Android", "Darwin", "WinSDK", "ucrt", "WASILibc", "wasi_pthread"].contains(
        module)
      #expect(allowed && file.path.contains("Kit/System/"), "\(file.path):\(number) imports \(module)")
    }
    for (number, line) in file.code where line.mentions("package ") {
      Issue.record("\(file.path):\(number) is for this package only")
    }
  }

  @Test(arguments: SourceFile.sources)
  fileprivate func `Locks and atomics live behind the API, unchecked Sendable there and on classes of the user's`(
    _ file: SourceFile
  ) {
    // In the test kit these are allowed: the lock itself, and stand-ins for types that a user's closure hides.
    let inKit = ["System", "Probes", "Doubles", "Subjects"].map { "PenstockTesting/Kit/\($0)/" }
    let isKit = file.path.contains("PenstockTesting/Kit/")
    guard isKit ? !inKit.contains(where: file.path.contains) : !file.isEngine else { return }
    for (number, line) in file.code {
      for word in ["Mutex<", "Atomic<", "pthread_mutex", "NSLock", "NSRecursiveLock"] where line.mentions(word) {
        Issue.record("\(file.path):\(number) has \(word)")
      }
      if line.mentions("@unchecked") {
        let isSubject = file.path.contains("/Subjects/") || file.path.hasSuffix("Publishers/Future.swift")
        #expect(isSubject, "\(file.path):\(number) is @unchecked")
      }
    }
  }

  @Test(arguments: SourceFile.sources)
  fileprivate func `Traps go through the one function that names the rule and the fix`(_ file: SourceFile) {
    // The test kit works with any Combine, so it cannot use the core's.
    guard !file.path.hasSuffix("State/Violation.swift"), !file.path.hasSuffix("Kit/System/Mistake.swift") else {
      return
    }
    for (number, line) in file.code {
      for call in ["fatalError(", "preconditionFailure(", "assertionFailure(", " precondition("]
      where line.mentions(call) {
        Issue.record("\(file.path):\(number) calls \(call)")
      }
    }
  }

  // An assignment may release the old value before the new one is stored: see `dispose(of:)`.
  @Test(arguments: SourceFile.sources)
  fileprivate func `A value of the user's that is kept is exchanged, not assigned`(_ file: SourceFile) {
    let kept = file.code.filter { $0.text.mentions("@exclusivity(unchecked)") }.compactMap { _, line in
      line.firstMatch(of: /@exclusivity\(unchecked\).* var (\w+): (.*\.)?(Input|Output|Value|Element)\b/)?.output.1
    }
    var isInit = false
    for (number, line) in file.code where !kept.isEmpty {
      if line.contains(/^ +.*\b(init|func|var|let)\b/) { isInit = line.contains(" init(") }
      guard !isInit, let match = line.firstMatch(of: /(^ +|[{] |\.)(\w+) = [^=]/) else { continue }
      #expect(!kept.contains(match.output.2), "\(file.path):\(number) assigns \(match.output.2)")
    }
    for (number, line) in file.code where line.mentions("displace(&") {
      #expect(line.contains("dispose(of: displace(&"), "\(file.path):\(number) frees too early")
    }
  }

  @Test(arguments: SourceFile.operators)
  fileprivate func `An operator's documentation says demand, completion, failure and concurrency`(_ file: SourceFile) {
    guard file.text.contains("\nextension Publisher"), file.text.contains("public func") else { return }
    for label in ["**Demand:**", "**Completion:**", "**Failure:**", "**Concurrency:**"] {
      #expect(file.text.contains(label), "\(file.path) does not say \(label)")
    }
    #expect(file.text.contains("```swift"), "\(file.path) has no example")
    #expect(file.text.contains("// Prints") || file.text.contains("// Stops"), "\(file.path) shows no output")
  }

  @Test(arguments: SourceFile.sources + SourceFile.tests)
  fileprivate func `A file holds one idea`(_ file: SourceFile) {
    let limit =
      if SourceFile.operators.contains(where: { $0.path == file.path }) { 200 } else if file.path.contains("Sources/") {
        350
      } else { 500 }
    #expect(file.lines.count <= limit, "\(file.path) has \(file.lines.count) lines")
  }

  @Test(arguments: SourceFile.sources + SourceFile.tests)
  fileprivate func `Nothing is left for later, and nothing sleeps`(_ file: SourceFile) {
    guard !file.path.contains("ConventionTests") else { return }
    for word in ["TODO", "FIXME", "XXX", "usleep(", "Thread.sleep", "Task.sleep"] where file.text.mentions(word) {
      for (number, line) in file.lines.enumerated() where line.mentions(word) {
        Issue.record("\(file.path):\(number + 1) has \(word)")
      }
    }
  }

  // A test that waits by the clock, or by yielding a number of times, fails on a busy machine. So nothing that is made
  // for tests may do so, not even in an example.
  @Test(
    arguments: SourceFile.sources.filter { file in
      ["Testing", "DeliveryTesting"].contains { file.path.hasPrefix("Sources/Penstock\($0)") }
    })
  fileprivate func `What is made for tests waits for events, and not for time or turns`(_ file: SourceFile) {
    let words = [
      "Task.yield", "sleep(nanoseconds", "sched_yield", "nanosleep", "ContinuousClock", "SuspendingClock",
      "DispatchTime.now",
      "DispatchWallTime", "asyncAfter", "timeout:", "Date()", "Date.now", "clock_gettime", "systemUptime",
    ]
    // Exempt are the limit for a wait for something that never comes, the common start of racing threads, and the
    // intervals at which an engine is asked for its counts: no passing test depends on them.
    let exempt = [
      "Kit/System/Latch.swift": "clock_gettime", "Kit/Doubles/RecordingStore.swift": "ContinuousClock",
      "Kit/Probes/CheckLog+Waiting.swift": "ContinuousClock", "Kit/System/ThisThread.swift": "sched_yield",
      "PenstockDeliveryTesting/Checks/Waiting.swift": "ContinuousClock",
    ].first { file.path.hasSuffix($0.key) }?.value
    for word in words where word != exempt && file.text.mentions(word) {
      for (number, line) in file.lines.enumerated() where line.mentions(word) {
        Issue.record("\(file.path):\(number + 1) has \(word)")
      }
    }
  }

  // If a status of the C clients is not checked, a message is lost silently: the compiler does not complain.
  @Test(
    arguments: SourceFile.sources.filter { $0.path.contains("PenstockNATS/") || $0.path.contains("PenstockRedis/") })
  fileprivate func `What the C clients return is looked at`(_ file: SourceFile) {
    // These return nothing, or, in the case of the last one, a status that changes nothing: what is not subscribed any
    // more need not be ended.
    let silent = [
      "Destroy(", "natsConnection_Close(", "redisFree(", "freeReplyObject(", "natsSubscription_Unsubscribe(",
    ]
    for (number, line) in file.code where !silent.contains(where: line.contains) {
      let text = line.drop { $0 == " " }
      let names = [
        "nats_", "natsConnection_", "natsSubscription_", "natsMsg_", "natsMsgHeader_", "natsOptions_", "redis",
      ]
      for name in names {
        if text.hasPrefix(name) && text.contains("(") && !text.hasSuffix(",") || text.contains("_ = \(name)") {
          Issue.record("\(file.path):\(number) forgets a status")
        }
      }
    }
  }
}
