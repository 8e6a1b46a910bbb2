// swift-tools-version: 6.2
// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
import PackageDescription

/// The location of Bulkhead's sources.
///
/// The variable BULKHEAD_SDK names another location.
let sdk = Context.environment["BULKHEAD_SDK"] ?? "../.."

let package = Package(
    name: "TemplateEffect",
    products: [
        // The plug-in: libTemplateEffect.so, from which `bulkhead bundle` makes a bundle.
        .library(name: "TemplateEffect", type: .dynamic, targets: ["TemplateEffectExtension"])
    ],
    dependencies: [.package(name: "bulkhead", path: sdk)],
    targets: [
        // The effect itself. It knows nothing of processes, so that tests can render it.
        .target(name: "TemplateEffect", dependencies: [.product(name: "PluginSDK", package: "bulkhead")]),
        // The extension around it. PluginExtension brings the linker settings.
        .target(
            name: "TemplateEffectExtension",
            dependencies: ["TemplateEffect", .product(name: "PluginExtension", package: "bulkhead")]),
        // A program that plays a loop through the extension while you write.
        .executableTarget(
            name: "TemplateEffectPlayer",
            dependencies: [
                .product(name: "PluginHosting", package: "bulkhead"), .product(name: "PipeWireIO", package: "bulkhead"),
            ]),
        .testTarget(
            name: "TemplateEffectTests",
            dependencies: ["TemplateEffect", .product(name: "PluginTesting", package: "bulkhead")]),
    ]
)
