// swift-tools-version: 6.2

import PackageDescription

func penstock(_ product: String) -> Target.Dependency { .product(name: product, package: "penstock") }

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let events = Target.Dependency.product(name: "ServerSentEvents", package: "server-sent-events")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let client = Target.Dependency.product(name: "LoopbackClient", package: "server-sent-events")

/// A live search over SQLite, with its page.
///
/// A separate package, so that the other examples can be built without a web server and a database.
let package = Package(
  name: "penstock-item-search",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "penstock", path: "../.."),
    .package(name: "server-sent-events", path: "../ServerSentEvents"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.9.0"),
  ],
  targets: [
    // The items, and how they are searched.
    .target(
      name: "ItemDatabase", dependencies: [grdb, penstock("Penstock"), penstock("PenstockConcurrency")],
      resources: [.copy("Resources/items.tsv")]),
    // The text that a visitor types, and the list that is shown.
    .target(
      name: "ItemListController",
      dependencies: [
        "ItemDatabase", penstock("Penstock"), penstock("PenstockInspector"), penstock("PenstockOperators"),
      ]),
    // The page and its streams, on Hummingbird.
    .target(
      name: "ItemSearchService",
      dependencies: [
        .product(name: "PipelineRoutes", package: "server-sent-events"),
        "ItemDatabase", "ItemListController", events, hummingbird, lifecycle, logging, nio, penstock("Penstock"),
        penstock("PenstockConcurrency"), penstock("PenstockInspector"), penstock("PenstockOperators"),
      ],
      resources: [.copy("Resources/Page")]),
    .executableTarget(
      name: "ItemSearch",
      dependencies: [
        "ItemDatabase", "ItemSearchService", arguments, lifecycle, logging, nio, penstock("PenstockInspector"),
      ]),
    // Measures what many visitors at once cost.
    .executableTarget(
      name: "ItemSearchLoad",
      dependencies: ["ItemSearch", arguments, client, nio]),
    .testTarget(
      name: "ItemDatabaseTests",
      dependencies: ["ItemDatabase", grdb, penstock("Penstock"), penstock("PenstockConcurrency")]),
    .testTarget(
      name: "ItemListControllerTests",
      dependencies: [
        "ItemDatabase", "ItemListController", penstock("Penstock"), penstock("PenstockOperators"),
        penstock("PenstockTesting"),
      ]),
    // The tests also run ItemSearch as a program, and check its page in a browser.
    .testTarget(
      name: "ItemSearchServiceTests",
      dependencies: [
        "ItemDatabase", "ItemListController", "ItemSearch", "ItemSearchService", client, hummingbird, lifecycle,
        logging,
        nio, penstock("Penstock"), penstock("PenstockConcurrency"), penstock("PenstockInspector"),
        penstock("PenstockOperators"), penstock("PenstockTesting"),
      ]),
  ]
)

for target in package.targets {
  target.swiftSettings = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]
}
