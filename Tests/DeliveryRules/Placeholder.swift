// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.
