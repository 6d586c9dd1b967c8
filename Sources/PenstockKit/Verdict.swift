// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The decision of a stage about one value.
///
/// ``ManagedStage``, ``QueuedStage``, ``SteeredStage`` and ``TimedStage`` return a verdict for each value that they
/// receive.
@frozen
public enum Verdict<Output, Failure: Error> {
  /// Delivers this value.
  case emit(Output)
  /// Delivers nothing, and requests one more value in its place, so that downstream gets as many as it has asked for.
  case skip
  /// Delivers nothing, and requests nothing in its place: the value has become part of an output that comes later.
  case absorb
  /// Finishes the stream, and cancels upstream.
  case finish
  /// Delivers this value, then finishes the stream, and cancels upstream.
  case emitAndFinish(Output)
  /// Fails the stream, and cancels upstream.
  case fail(Failure)
}

extension Verdict: Sendable where Output: Sendable {}
