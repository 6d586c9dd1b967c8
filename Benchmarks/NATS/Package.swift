// swift-tools-version: 6.2

import PackageDescription

func penstock(_ product: String) -> Target.Dependency { .product(name: product, package: "penstock") }

/// Measures the adapter of NATS, beside a program in C over the same client library.
///
/// It is a package of its own, since it needs the client library and a server.
let package = Package(
  name: "penstock-broker-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "penstock", path: "../..", traits: ["NATS"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(name: "Baseline", linkerSettings: [.linkedLibrary("nats")]),
    .executableTarget(
      name: "brokers",
      dependencies: [
        "Baseline", penstock("Penstock"), penstock("PenstockConcurrency"), penstock("PenstockNATS"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
