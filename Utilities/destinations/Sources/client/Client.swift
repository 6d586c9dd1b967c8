// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Combine

@main enum Client {
  static func main() {
    #if EXPECTS_FRAMEWORK
      // Of the module that stands for the framework: Utilities/destinations/check builds it.
      print(Framework.name)
    #else
      print(String(reflecting: type(of: Just(1))))
    #endif
  }
}
