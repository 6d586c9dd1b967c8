// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockFoundation

enum ComingFromOpenCombineFoundation {
  // The imports | `import OpenCombineFoundation`
  static func foundation() {
    let center = NotificationCenter()
    let posted = center.publisher(for: Notification.Name("a")).map(\.name.rawValue).received()
    center.post(name: Notification.Name("a"), object: nil)
    expect(posted.log, ["a"])
  }
}
