// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A failure that has passed checkpoints, and their names and places; see `checkpoint(_:file:line:)`.
///
/// ```swift
/// struct Offline: Error {}
/// let failure = CheckpointFailure(Offline(), at: Checkpoint("search", file: "App/Search.swift", line: 12))
/// print(failure)
/// // Prints "Offline(), at "search" (App/Search.swift:12)".
/// ```
public struct CheckpointFailure<Underlying: Error>: Error {
  /// The failure itself.
  public let underlying: Underlying

  /// The checkpoints that it has passed, the nearest to its origin first.
  public let checkpoints: [Checkpoint]

  /// Creates a failure that has passed a checkpoint.
  ///
  /// - Parameters:
  ///   - underlying: The failure itself.
  ///   - checkpoint: The checkpoint that it has passed.
  public init(_ underlying: Underlying, at checkpoint: Checkpoint) {
    self.underlying = underlying
    checkpoints = [checkpoint]
  }

  private init(_ underlying: Underlying, at checkpoints: [Checkpoint]) {
    self.underlying = underlying
    self.checkpoints = checkpoints
  }

  /// Returns this failure after one more checkpoint.
  ///
  /// - Parameter checkpoint: The checkpoint that it passes.
  /// - Returns: The same failure, with that checkpoint as the last.
  public func passing(_ checkpoint: Checkpoint) -> CheckpointFailure {
    CheckpointFailure(underlying, at: checkpoints + [checkpoint])
  }
}

extension CheckpointFailure: CustomStringConvertible {
  /// The failure, and the checkpoints in the order in which it has passed them.
  public var description: String {
    "\(underlying), at \(checkpoints.map(\.description).joined(separator: ", "))"
  }
}

extension CheckpointFailure: Equatable where Underlying: Equatable {}
extension CheckpointFailure: Hashable where Underlying: Hashable {}

/// A place in a chain of operators; see `checkpoint(_:file:line:)`.
public struct Checkpoint: Hashable, Sendable {
  /// The name.
  public let name: String

  /// The file in which the chain is written, with its module: `#fileID`.
  public let file: String

  /// The line of the call.
  public let line: UInt

  /// Creates a checkpoint.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - file: The file in which the chain is written.
  ///   - line: The line of the call.
  public init(_ name: String, file: String, line: UInt) {
    self.name = name
    self.file = file
    self.line = line
  }
}

extension Checkpoint: CustomStringConvertible {
  /// The name, and the place in the source.
  public var description: String { "\"\(name)\" (\(file):\(line))" }
}
