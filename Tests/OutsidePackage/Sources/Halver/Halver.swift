// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in of another package: it multiplies by its one parameter.

import PluginSDK

struct Halver: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.effect, "half", "outs"), name: "Halver", manufacturerName: "Outside",
        version: UnitVersion(1, 0, 0), tags: ["Utility"], flags: .consentsToInProcess)

    static let parameters = ParameterTree(Parameter("factor", name: "Factor", address: 0, range: 0...1, default: 0.5))

    private var factor: Float = 0.5

    init(_ setup: RenderSetup) {}

    @_noLocks mutating func apply(_ change: ParameterChange) { factor = Float(change.value) }

    @_noLocks mutating func render(_ block: RenderBlock) { block.output.copy(from: block.input, gain: factor) }

    @_noLocks mutating func reset() {}
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Halver.exported }
