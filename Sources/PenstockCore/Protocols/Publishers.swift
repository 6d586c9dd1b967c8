// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A namespace for publishers that are created by operators.
public enum Publishers: Sendable {}
