// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Everything that `import Combine` and `import Foundation` together bring on Apple's systems.
@_exported public import PenstockCore
@_exported public import PenstockDispatch
@_exported public import PenstockFoundation
