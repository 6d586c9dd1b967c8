// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Waits until a condition holds that another task or thread brings about.
///
/// The limit is only for a hang: other tests block the few threads that tasks have, for minutes on a slow machine.
///
/// - Returns: Whether it holds; `false` if that takes too long.
public func reached(within limit: Duration = .seconds(1_200), _ condition: () -> Bool) async -> Bool {
  await holds(within: limit, on: nil, condition)
}

/// Works as `reached`, for conditions that belong to the main actor.
@MainActor
public func settled(within limit: Duration = .seconds(1_200), _ condition: () -> Bool) async -> Bool {
  await holds(within: limit, on: #isolation, condition)
}

/// Separate functions, since a condition that need not run on the main actor would keep others from it.
private func holds(
  within limit: Duration, on isolation: isolated (any Actor)?, _ condition: () -> Bool
) async -> Bool {
  let end = ContinuousClock.now + limit
  while !condition() {
    if ContinuousClock.now > end { return false }
    await Task.yield()
  }
  return true
}
