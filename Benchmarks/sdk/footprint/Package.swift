// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "sdk-benchmark",
    dependencies: [.package(name: "vaka", path: "../../..")],
    targets: [
        // The same program without the SDK.
        .executableTarget(name: "bare"),
        .executableTarget(name: "measure", dependencies: [.product(name: "Vaka", package: "vaka")]),
    ]
)
