// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import Foundation

/// How programs are compiled, and against which build of the library.
enum DifferBuild: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// Without optimisation, against the debug build.
  case none
  /// Optimised, against the release build.
  case speed
  /// Optimised, with the address sanitizer.
  case address

  /// Where the library has been built, from the root of the repository.
  var products: String {
    switch self {
    case .none: ".build/debug"
    case .speed: "Fuzz/.build/release"
    case .address: ".build-asan/release"
    }
  }

  /// The command that builds the library.
  var command: String {
    switch self {
    case .none: "swift build --build-tests"
    case .speed: "swift build -c release --package-path Fuzz"
    case .address: "swift build -c release --sanitize=address --scratch-path .build-asan"
    }
  }

  var options: [String] {
    switch self {
    case .none: ["-Onone"]
    case .speed: ["-O"]
    case .address: ["-O", "-g", "-sanitize=address"]
    }
  }

  /// The number of programs in a file: large enough that the imports do not count, and not more than fits into memory.
  var batch: Int { self == .none ? 40 : 20 }
}

/// A command that is run to its end.
struct Tool {
  var status: Int32
  var output: String

  /// Runs a command, without waiting for longer than a number of seconds.
  static func run(_ words: [String], seconds: Int, environment: [String: String] = [:]) -> Tool {
    let file = FileManager.default.temporaryDirectory.appending(path: "differ-\(UUID().uuidString).txt")
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    // By the name of the tool, so that processes that it has started end with it.
    process.arguments = ["timeout", "-k", "1", "\(seconds)"] + words
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    guard FileManager.default.createFile(atPath: file.path, contents: nil),
      let output = try? FileHandle(forWritingTo: file)
    else { return Tool(status: -1, output: "no temporary file") }
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    let isOver = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in isOver.signal() }
    do { try process.run() } catch { return Tool(status: -1, output: "\(error)") }
    isOver.wait()
    let text = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let isSignal = process.terminationReason == .uncaughtSignal
    return Tool(status: isSignal ? 128 + process.terminationStatus : process.terminationStatus, output: text)
  }
}

struct DifferFailure: Error, CustomStringConvertible {
  var description: String
}

/// Compiles files of programs, and runs them.
struct DifferLab: Sendable {
  let build: DifferBuild
  private let root: URL
  let work: URL

  /// A job of an executable: the number of the program, the form and the script.
  struct Job {
    var program: Int
    var form: DifferForm
    var script: String
  }

  init(_ build: DifferBuild) {
    self.build = build
    root = URL(filePath: #filePath).appending(path: "../../../../..").standardizedFileURL
    work = root.appending(path: "Fuzz/.build/differ/\(build)")
  }

  private var products: URL { root.appending(path: build.products) }
  private var library: URL { work.appending(path: "libExamined.so") }

  /// Links the library and the programs' shared code to one shared object, unless that has been done.
  func prepare() throws {
    let files = FileManager.default
    guard files.fileExists(atPath: products.appending(path: "Modules/PenstockOperators.swiftmodule").path),
      files.fileExists(atPath: products.appending(path: "Modules/PenstockTesting.swiftmodule").path)
    else { throw DifferFailure(description: "build the library first: \(build.command)") }
    try files.createDirectory(at: work, withIntermediateDirectories: true)
    let objects = try files.contentsOfDirectory(atPath: products.path).filter(Self.isPart).flatMap { folder in
      try Self.objects(in: products.appending(path: folder))
    }
    let sources = try swift(in: "Fuzz/Examined")
    let newest = (objects + sources).compactMap(modified).max() ?? .distantFuture
    if let built = modified(library), built > newest { return }
    let list = work.appending(path: "objects")
    try objects.map { "\"\($0.path)\"" }.joined(separator: "\n").write(to: list, atomically: true, encoding: .utf8)
    let tool = Tool.run(
      ["swiftc", "-emit-library", "-emit-module", "-module-name", "Examined", "-parse-as-library", "-wmo"] + common
        + ["-emit-module-path", work.appending(path: "Examined.swiftmodule").path, "-o", library.path]
        // Otherwise a missing symbol shows when the programs start.
        + ["-Xlinker", "-z", "-Xlinker", "defs"]
        + sources.map(\.path) + ["@\(list.path)"], seconds: 600)
    if tool.status != 0 { throw DifferFailure(description: "what the programs share does not build:\n\(tool.output)") }
  }

  /// The objects of a target that have been built, by the package manager's own list: the folder still has those of
  /// removed files.
  private static func objects(in folder: URL) throws -> [URL] {
    let map = try Data(contentsOf: folder.appending(path: "output-file-map.json"))
    let outputs = try JSONDecoder().decode([String: [String: String]].self, from: map)
    return outputs.values.compactMap { $0["object"] }.filter(FileManager.default.fileExists).sorted()
      .map { URL(filePath: $0) }
  }

  /// The modules that a program imports, and what these import.
  ///
  /// By name: the object of another module would need further ones.
  private static let parts: Set<String> = [
    "Penstock", "PenstockCore", "PenstockDispatch", "PenstockFoundation", "PenstockOperators",
    "PenstockOperatorsFoundation", "PenstockTesting", "PenstockTestingDispatch",
    "DequeModule", "HeapModule", "InternalCollectionsUtilities", "ContainersPreview", "BasicContainers",
  ]

  private static func isPart(_ folder: String) -> Bool {
    folder.hasSuffix(".build") && parts.contains(String(folder.dropLast(".build".count)))
  }

  private func swift(in folder: String) throws -> [URL] {
    let folder = root.appending(path: folder)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
      .map { folder.appending(path: $0) }
  }

  private func modified(_ file: URL) -> Date? {
    (try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]) as? Date
  }

  private var common: [String] {
    build.options + ["-swift-version", "5", "-suppress-warnings", "-I", products.appending(path: "Modules").path]
  }

  /// Compiles a file.
  ///
  /// - Returns: The executable, or the compiler's message.
  func compile(_ text: String, name: String) throws -> Result<URL, DifferFailure> {
    let folder = work.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let source = folder.appending(path: "part.swift")
    try text.write(to: source, atomically: true, encoding: .utf8)
    let executable = folder.appending(path: "part")
    let tool = Tool.run(
      ["nice", "-n", "5", "swiftc", "-parse-as-library", "-wmo", "-module-name", "part"] + common
        + ["-I", work.path, "-L", work.path, "-lExamined", "-Xlinker", "-rpath=\(work.path)", "-o", executable.path]
        + (try swift(in: "Fuzz/Examined/Program")).map(\.path) + [source.path],
      seconds: 300)
    return tool.status == 0 ? .success(executable) : .failure(DifferFailure(description: tool.output))
  }

  func discard(_ name: String) { try? FileManager.default.removeItem(at: work.appending(path: name)) }

  /// Runs jobs, and continues with the next one if one stops the process.
  func run(_ executable: URL, _ jobs: [Job]) throws -> [DifferOutcome] {
    let list = executable.deletingLastPathComponent().appending(path: "jobs")
    try jobs.map { "\($0.program)\t\($0.form.rawValue)\t\($0.script)" }.joined(separator: "\n")
      .write(to: list, atomically: true, encoding: .utf8)
    var outcomes: [DifferOutcome] = []
    while outcomes.count < jobs.count {
      let tool = Tool.run(
        [executable.path, list.path, "\(outcomes.count)"], seconds: 600,
        environment: ["SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0"])
      let before = outcomes.count
      outcomes += DifferOutcome.parse(tool)
      if outcomes.count == before {
        throw DifferFailure(description: "the programs do not start: \(tool.status)\n\(tool.output)")
      }
    }
    return outcomes
  }
}

/// The outcome of a form of a program.
struct DifferOutcome: Equatable, Sendable {
  var lines: [String] = []
  /// The cause that stopped the process.
  var stop: String?

  static func parse(_ tool: Tool) -> [DifferOutcome] {
    var outcomes: [DifferOutcome] = []
    var isOpen = false
    for line in tool.output.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("#"), !isOpen {
        outcomes.append(DifferOutcome())
        isOpen = true
      } else if line == "." {
        isOpen = false
      } else if isOpen {
        outcomes[outcomes.count - 1].lines.append(String(line))
      }
    }
    if isOpen { outcomes[outcomes.count - 1].stop = "stopped with status \(tool.status)" }
    return outcomes
  }

  /// The lines that are compared: with `isStrict`, they also show whether a send has returned before its value is
  /// delivered, and when the objects that a closure captures are freed.
  func compared(isStrict: Bool) -> [String] {
    (isStrict ? lines : lines.filter { !$0.hasPrefix("  ") && !$0.hasPrefix("freed") }) + (stop.map { [$0] } ?? [])
  }

  /// Whether something is delivered that may not be.
  var isBroken: Bool { lines.contains { $0.hasSuffix(" !") } }

  var text: String { (lines + (stop.map { [$0] } ?? [])).map { "    \($0)\n" }.joined() }
}
