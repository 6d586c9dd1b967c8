// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Returns its argument, in a way that the compiler cannot see through.
@inline(never)
@_optimize(none)
public func opaque<Value>(_ value: Value) -> Value { value }
