// swift-tools-version: 6.2

import PackageDescription

/// A small client that runs on every system, including WebAssembly: the workflows build it, and run it where they can.
let package = Package(
  name: "penstock-anywhere",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "penstock", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Anywhere",
      dependencies: ["Penstock", "PenstockOperators", "PenstockConcurrency", "PenstockTesting"].map {
        .product(name: $0, package: "penstock")
      })
  ],
  swiftLanguageModes: [.v6]
)
