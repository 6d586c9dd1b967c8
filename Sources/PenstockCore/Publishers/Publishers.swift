// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A namespace for the publishers that operators make.
public enum Publishers: Sendable {}
