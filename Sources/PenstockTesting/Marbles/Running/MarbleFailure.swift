// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The failure of a source in a diagram, unless the test has failures of its own.
public struct MarbleFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name, as in `#'offline'`; empty for a plain `#`.
  public let name: String

  /// Creates a failure with a name.
  public init(_ name: String = "") { self.name = name }

  /// The name.
  public var description: String { name }
}

/// The failures that `#` and `#'name'` stand for in a diagram.
public struct MarbleFailures<Failure: Error> {
  /// The failure with a name; `nil` if there is none.
  internal let failure: (String?) -> Failure?

  /// Creates failures with a closure, which gets `nil` for a plain `#`.
  public init(_ failure: @escaping (String?) -> Failure?) { self.failure = failure }

  /// Creates a failure for every `#`, whatever its name.
  public init(_ failure: Failure) { self.failure = { _ in failure } }
}

extension MarbleFailures<MarbleFailure> {
  /// Failures that have nothing but the name.
  public static var named: Self { Self { MarbleFailure($0 ?? "") } }
}

extension MarbleFailures<Never> {
  /// No failures: the source has none.
  public static var none: Self { Self { _ in nil } }
}

/// The name of a failure in a diagram.
internal func marbleName(of failure: some Error) -> String? {
  let name = String(describing: failure)
  return name.isEmpty ? nil : name
}
