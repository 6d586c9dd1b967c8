// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// What the files of the folder beside this one, which both libraries share, are compiled with.
@_exported import OpenCombine
@_exported import OpenCombineDispatch
