// swift-tools-version: 6.2
// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Another package, which uses Bulkhead's products as any package may: a plug-in, and a host for it.
import PackageDescription

let package = Package(
    name: "OutsidePackage",
    products: [.library(name: "Halver", type: .dynamic, targets: ["Halver"])],
    dependencies: [.package(name: "bulkhead", path: "../..")],
    targets: [
        .target(
            name: "Halver",
            dependencies: [
                .product(name: "PluginSDK", package: "bulkhead"), .product(name: "PluginExtension", package: "bulkhead"),
            ]),
        .executableTarget(name: "OutsideHost", dependencies: [.product(name: "PluginHosting", package: "bulkhead")]),
    ]
)
