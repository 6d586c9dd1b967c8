// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The library, and the verification over it, with which this target compiles the shared lines beside this folder.
@_exported import PenstockTesting
public import VerifiedRow

/// Verifies everything in Penstock, and returns the findings of each line.
public func verifyPenstock(named filter: String?) -> [VerifiedRow] { Verified.rows(named: filter) }
