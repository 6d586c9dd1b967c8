// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The failure of the animals.
enum ZooError: Error {
  case oops
}
