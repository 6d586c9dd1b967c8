// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The error of the tests.
public struct TestError: Error, Equatable, CustomStringConvertible {
  public let text: String

  public init(_ text: String = "failed") { self.text = text }

  public var description: String { text }
}

extension TestError {
  public static let oops = TestError("oops")
}
