// swift-tools-version: 6.2

import PackageDescription

// Which of Penstock's products the two libraries link; see Utilities/dynamic/check.
let penstock = Context.environment["PENSTOCK_STATIC_COPIES"] == nil ? "PenstockDynamic" : "Penstock"

let package = Package(
  name: "thermometer",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Thermometer", type: .dynamic, targets: ["Thermometer"])],
  dependencies: [.package(name: "penstock", path: "../../..")],
  targets: [.target(name: "Thermometer", dependencies: [.product(name: penstock, package: "penstock")])],
  swiftLanguageModes: [.v6]
)
