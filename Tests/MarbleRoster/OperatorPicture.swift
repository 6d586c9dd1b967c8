// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore
public import PenstockTesting

/// The picture of an operator in its documentation: a diagram, and the pipeline that has to do what it shows.
///
/// Each picture has one line in the list of its family. `Tests/MarbleTests` runs all of them, and compares the files in the
/// catalogues with what is drawn of them; `Utilities/docs/marbles` draws them.
public struct OperatorPicture: @unchecked Sendable {
  public typealias Bench = MarbleBench<VirtualTime, Never>

  /// The module in whose catalogue it is.
  public enum Module: String, Sendable, CaseIterable {
    case core = "PenstockCore"
    case operators = "PenstockOperators"
    case concurrency = "PenstockConcurrency"
    case testing = "PenstockTesting"
  }

  /// The name of the file, without its extension.
  public let name: String
  public let module: Module
  /// What it shows, for those who do not see it.
  public let title: String

  private let text: String
  // Called by one test at a time, and capturing nothing: so the structure may be Sendable.
  private let run: (MarbleDiagram) async throws -> Void

  init<P: Publisher>(
    _ name: String, in module: Module = .core, _ title: String, _ text: String,
    values: @escaping () -> MarbleValues<P.Output> = { .described },
    _ build: @escaping (Bench) throws -> P
  ) {
    self.name = name
    self.module = module
    self.title = title
    self.text = text
    run = { try $0.verify(values: values(), build) }
  }

  /// A picture whose pipeline is run by a closure of its own.
  init(
    _ name: String, in module: Module, _ title: String, _ text: String,
    run: @escaping (MarbleDiagram) async throws -> Void
  ) {
    (self.name, self.module, self.title, self.text) = (name, module, title, text)
    self.run = run
  }

  public func diagram() throws -> MarbleDiagram { try MarbleDiagram(text) }

  /// Runs the pipeline, and throws where it does something else than the picture shows.
  public func verify() async throws { try await run(diagram()) }

  /// The file's text.
  public func svg(_ appearance: MarbleAppearance) throws -> String {
    try diagram().svg(title: title, appearance: appearance)
  }

  /// Where the picture is, from the root of the package.
  public func path(_ appearance: MarbleAppearance) -> String {
    let suffix = appearance == .dark ? "~dark" : ""
    return "\(folder)/\(name)\(suffix).svg"
  }

  /// The folder of the pictures of its module.
  public var folder: String { Self.folder(of: module) }

  public static func folder(of module: Module) -> String {
    "Sources/\(module.rawValue)/\(module.rawValue).docc/Resources/Marbles"
  }

  /// All pictures.
  public static let all = combineOperators + ownOperators + tasks + articles

  /// The pictures of articles.
  private static let articles: [OperatorPicture] = [
    .init(
      "marble-diagram", in: .testing,
      "The subscriber asks for two values at first, and for all of them later. The buffer keeps c and d until then.",
      """
      source    a-b-c-d-|
      > buffer(size: 9, prefetch: .keepFull, whenFull: .dropOldest)
      demand    2-----*--
      expected  a-b---[cd]-|
      """
    ) { $0.source().buffer(size: 9, prefetch: .keepFull, whenFull: .dropOldest) }
  ]

  private static let combineOperators =
    mapping + filtering + positions + reducing + matching + combining + flattening + timing + errors + sharing
    + observing
  private static let ownOperators =
    ownMapping + ownFiltering + ownCombining + ownLives + ownFlattening + ownDividing + ownEvents + ownTiming
    + ownErrors
    + ownSharing
}

extension MarbleBench {
  /// A source of numbers.
  func numbers(_ name: String = "source") -> MarbleSource<Int, MarbleFailure> { source(name, values: .numbers) }

  /// A source of numbers that cannot fail.
  func steadyNumbers(_ name: String = "source") -> MarbleSource<Int, Never> {
    source(name, values: .numbers, failures: .none)
  }

  /// A source of values that may be missing: `nil` is one.
  func optionals(_ name: String = "source") -> MarbleSource<Int?, MarbleFailure> {
    source(name, values: MarbleValues<Int?> { $0 == "nil" ? .some(nil) : Int($0) })
  }
}
