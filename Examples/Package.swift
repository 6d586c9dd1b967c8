// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "penstock-examples",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "penstock", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(
      name: "Scenarios",
      dependencies: [
        "Penstock", "PenstockConcurrency", "PenstockOperators", "PenstockOperatorsFoundation", "PenstockTesting",
      ].map {
        .product(name: $0, package: "penstock")
      }
    ),
    .executableTarget(
      name: "Tour",
      dependencies: ["Scenarios", .product(name: "ArgumentParser", package: "swift-argument-parser")]
    ),
    .executableTarget(name: "Verify", dependencies: ["Scenarios"]),
    // The tests also run the Tour as a program.
    .testTarget(
      name: "ScenariosTests",
      dependencies: ["Scenarios", "Tour", .product(name: "PenstockTesting", package: "penstock")]
    ),
  ]
)

// Utilities/docs/snippets writes the snippets of the documentation there, to build them and to run them.
if Context.environment["PENSTOCK_SNIPPETS"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Snippets",
      dependencies: [
        "Combine", "Penstock", "PenstockConcurrency", "PenstockDeliveryTesting", "PenstockInspector", "PenstockKit",
        "PenstockOperatorsFoundation", "PenstockTestingDispatch",
      ].map {
        .product(name: $0, package: "penstock")
      },
      path: ".build/snippets"))
}

for target in package.targets {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
  ]
}
