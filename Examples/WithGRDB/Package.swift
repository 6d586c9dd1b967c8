// swift-tools-version: 6.2

import PackageDescription

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

// On Apple's systems `import Combine` means the framework, and nothing of Penstock is built.
let combine = Target.Dependency.product(
  name: "Combine", package: "penstock", condition: .when(platforms: [.linux, .android, .windows]))

/// GRDB's publishers on Linux.
///
/// GRDB has them under `#if canImport(Combine)`, and its manifest names no package for that module. So the module has
/// to be built first: `swift build --target Combine`, then `swift build`. Every target that links GRDB also links the
/// product `Combine`, even if it uses no publisher.
let package = Package(
  name: "penstock-with-grdb",
  dependencies: [
    .package(name: "penstock", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "Players", dependencies: [grdb, combine]),
    .executableTarget(name: "Scoreboard", dependencies: ["Players"]),
    // Uses GRDB only.
    .executableTarget(name: "Count", dependencies: [grdb, combine]),
  ],
  swiftLanguageModes: [.v6]
)
