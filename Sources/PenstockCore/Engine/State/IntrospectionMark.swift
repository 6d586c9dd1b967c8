// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// Whether an introspection is enabled: the only thing a subscription reads on the fast path.
@usableFromInline
internal let isIntrospected = AtomicCell<Bool>(false)

/// Whether no introspection is enabled, to which a fused publisher could not be shown.
@inlinable
internal var isUnobserved: Bool { !isIntrospected.load(ordering: .relaxed) }
