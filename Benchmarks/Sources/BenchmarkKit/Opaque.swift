// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Returns what it was given, and the compiler does not know it.
@inline(never)
@_optimize(none)
public func opaque<Value>(_ value: Value) -> Value { value }
