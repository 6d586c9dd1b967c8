// swift-tools-version: 6.2

import PackageDescription

/// Code that an app shares with a server: written for Apple's Combine, and built here with the product of that name.
///
/// Its sources import Combine and Foundation only. Without the condition, Penstock's minimum systems would bind the app
/// on Apple's systems as well, where Penstock is not used.
let package = Package(
  name: "penstock-shared-app",
  platforms: [.macOS(.v12), .iOS(.v15)],
  dependencies: [.package(name: "penstock", path: "../..")],
  targets: [
    .target(
      name: "Shop",
      dependencies: [
        .product(name: "Combine", package: "penstock", condition: .when(platforms: [.linux, .android, .windows]))
      ]),
    .executableTarget(name: "ShopDemo", dependencies: ["Shop"]),
    .testTarget(name: "ShopTests", dependencies: ["Shop"]),
  ],
  swiftLanguageModes: [.v5]
)
