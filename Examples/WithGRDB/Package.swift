// swift-tools-version: 6.2

import PackageDescription

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

// On Apple's systems `import Combine` means the framework, and nothing of Penstock is built.
let combine = Target.Dependency.product(
  name: "Combine", package: "penstock", condition: .when(platforms: [.linux, .android, .windows]))

/// GRDB's publishers on Linux.
///
/// GRDB has them where `#if canImport(Combine)` holds, and its manifest names no package for that. So the module is built
/// first: `swift build --target Combine`, then `swift build`. Whatever links GRDB links the product `Combine` as well, also
/// where it uses no publisher.
let package = Package(
  name: "penstock-with-grdb",
  dependencies: [
    .package(name: "penstock", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "Players", dependencies: [grdb, combine]),
    .executableTarget(name: "Scoreboard", dependencies: ["Players"]),
    // Uses GRDB alone.
    .executableTarget(name: "Count", dependencies: [grdb, combine]),
  ],
  swiftLanguageModes: [.v6]
)
