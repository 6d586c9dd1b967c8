// swift-tools-version: 6.2

import PackageDescription

/// What an app shares with a server: written for Apple's Combine, and built here against the product of that name.
///
/// Its sources import Combine and Foundation, and nothing else. On an Apple system the product is the system's framework.
let package = Package(
  name: "penstock-shared-app",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "penstock", path: "../..")],
  targets: [
    .target(name: "Shop", dependencies: [.product(name: "Combine", package: "penstock")]),
    .executableTarget(name: "ShopDemo", dependencies: ["Shop"]),
    .testTarget(name: "ShopTests", dependencies: ["Shop"]),
  ],
  swiftLanguageModes: [.v5]
)
