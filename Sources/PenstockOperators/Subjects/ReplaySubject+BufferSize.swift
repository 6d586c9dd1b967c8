// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension ReplaySubject {
  /// Creates a subject that replays a number of values: ``init(capacity:)`` under the name that other libraries use.
  ///
  /// - Parameter bufferSize: The number of values to replay. A negative number traps.
  @_alwaysEmitIntoClient
  public convenience init(bufferSize: Int) { self.init(capacity: bufferSize) }
}
