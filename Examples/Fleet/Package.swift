// swift-tools-version: 6.2

import PackageDescription

func penstock(_ product: String) -> Target.Dependency { .product(name: product, package: "penstock") }

let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

/// Workers that share orders: on three nodes of NATS, on Redis, or in memory.
///
/// A separate package, since it needs the C clients of both servers.
let package = Package(
  name: "penstock-fleet",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Through a link, since a package is known by the name of its folder, and the clone's folder may have any name,
    // even "fleet".
    .package(name: "penstock", path: "penstock", traits: ["NATS", "Redis"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.9.0"),
  ],
  targets: [
    // The work of a worker and a producer, wherever the orders are kept.
    .target(
      name: "FleetWork",
      dependencies: [
        penstock("Penstock"), penstock("PenstockConcurrency"), penstock("PenstockNATS"), penstock("PenstockOperators"),
        penstock("PenstockRedis"), lifecycle, logging,
      ]),
    // Starts servers, workers and a producer, shows what they do, and takes them down.
    .executableTarget(name: "Fleet", dependencies: ["FleetWork", arguments, lifecycle, logging]),
    .testTarget(
      name: "FleetTests", dependencies: ["Fleet", "FleetWork", lifecycle, logging, penstock("PenstockConcurrency")]),
  ],
  swiftLanguageModes: [.v6]
)
