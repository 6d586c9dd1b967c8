// swift-tools-version: 6.2

import PackageDescription

func penstock(_ product: String) -> Target.Dependency { .product(name: product, package: "penstock") }

/// Services on Hummingbird whose streams are Penstock's.
///
/// A separate package, so that the other examples can be built without a web server.
let package = Package(
  name: "penstock-server",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "penstock", path: "../.."),
    .package(name: "server-sent-events", path: "../ServerSentEvents"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.9.0"),
  ],
  targets: [
    // The streams, without a server.
    .target(name: "Ticker", dependencies: [penstock("Penstock"), penstock("PenstockConcurrency")]),
    .target(
      name: "TickerService",
      dependencies: [
        "Ticker", penstock("Penstock"), penstock("PenstockConcurrency"), penstock("PenstockInspector"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "PipelineRoutes", package: "server-sent-events"),
        .product(name: "ServerSentEvents", package: "server-sent-events"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .executableTarget(
      name: "TickerServer",
      dependencies: [
        "TickerService", penstock("PenstockInspector"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
    .testTarget(name: "TickerTests", dependencies: ["Ticker", penstock("PenstockTesting")]),
    // The tests of that package, whose folder is reached through a link: what they need is built here.
    .testTarget(
      name: "ServerSentEventsTests",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "ServerSentEvents", package: "server-sent-events"),
      ]),
    // The tests also run TickerServer as a program.
    .testTarget(
      name: "TickerServiceTests",
      dependencies: [
        "Ticker", "TickerServer", "TickerService", penstock("PenstockConcurrency"),
        .product(name: "LoopbackClient", package: "server-sent-events"),
      ]),
  ]
)

for target in package.targets {
  target.swiftSettings = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]
}
