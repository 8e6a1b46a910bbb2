// swift-tools-version: 6.2
// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Another package, which uses Bulkhead's products as any package may: a plug-in, a host for it, and an audio program.
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
        .executableTarget(name: "OutsideEngine", dependencies: [.product(name: "AudioGraph", package: "bulkhead")]),
        .executableTarget(name: "OutsideHost", dependencies: [.product(name: "PluginHosting", package: "bulkhead")]),
    ]
        // The steps of the tutorial: each is a program, and their files are links into the documentation.
        + (1...5).map { step in
            .executableTarget(name: "Performance\(step)", dependencies: [.product(name: "AudioGraph", package: "bulkhead")])
        }
)
