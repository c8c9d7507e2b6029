// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "network-benchmark",
    dependencies: [.package(name: "vaka", path: "../../..")],
    targets: [
        .executableTarget(
            name: "measure",
            dependencies: [.product(name: "Vaka", package: "vaka"), .product(name: "VakaNetwork", package: "vaka")])
    ]
)
