// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The outputs of a stage that wait for downstream's demand, the oldest first.
///
/// A ``QueuedStage`` appends to them; they are delivered as they are asked for.
public struct Outputs<Output> {
  @usableFromInline internal var waiting: PenstockCore.Outputs<Output>

  @inlinable
  internal init(_ waiting: consuming PenstockCore.Outputs<Output>) { self.waiting = waiting }

  /// Whether no outputs wait.
  @inlinable
  public var isEmpty: Bool { waiting.isEmpty }

  /// Adds an output after the others.
  @inlinable
  public mutating func append(_ output: Output) { waiting.append(output) }
}

extension Outputs {
  /// Calls a closure with the engine's outputs.
  @inlinable @inline(__always)
  internal static func with<Result>(
    _ waiting: inout PenstockCore.Outputs<Output>, _ body: (inout Outputs) -> Result
  ) -> Result {
    var outputs = Outputs(waiting)
    // The caller's outputs would otherwise be a second reference, and each append would copy.
    waiting = PenstockCore.Outputs()
    defer { waiting = outputs.waiting }
    return body(&outputs)
  }
}
