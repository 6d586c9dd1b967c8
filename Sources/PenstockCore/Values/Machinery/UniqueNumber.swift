// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

@usableFromInline
internal let uniqueNumbers = AtomicCell<UInt>(1)

/// A number that no other call in this process returns.
///
/// It is odd, and addresses of objects are even, so it never equals an object's address either.
@inlinable
internal func uniqueNumber() -> UInt {
  uniqueNumbers.wrappingAdd(2, ordering: .relaxed).oldValue
}
