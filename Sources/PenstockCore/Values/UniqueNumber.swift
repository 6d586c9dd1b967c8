// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

@usableFromInline
internal let uniqueNumbers = AtomicCell<UInt>(1)

/// A number that no other call in this process returns.
///
/// It is odd, and addresses of objects are even, so it never equals an object's address either. The numbers between two
/// of them are for ``CombineIdentifier/init(upstreamOf:)``.
@inlinable
internal func uniqueNumber() -> UInt {
  uniqueNumbers.wrappingAdd(64, ordering: .relaxed).oldValue
}
