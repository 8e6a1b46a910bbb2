// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit of the scripted bridge: a gain with texts, one of which it reports falsely. Control and render threads.

import Glibc
import PluginSDK

/// Passes its input on times `gain`.
///
/// Its factory presets have the names by which its locator was extended.
final class ScriptedUnit: BridgedUnit {
    let description: UnitDescription
    let parameters = ParameterTree(Parameter("gain", name: "Gain", address: 0, range: 0...2, default: 1, unit: .linearGain))
    let texts = [TextProperty("label", name: "Label", kind: .text), TextProperty("file", name: "File", kind: .path)]
    let factoryPresets: [FactoryPreset]
    private(set) var textValues: [String: String] = [:]

    init(_ description: UnitDescription, extensions: [String]) {
        self.description = description
        factoryPresets = extensions.map { FactoryPreset($0, ["gain": 0.5]) }
    }

    func makeKernel(_ setup: RenderSetup) -> KernelBox { .holding(ScriptedKernel()) }

    /// Sets a text; a label that is a path is reported as its file from then on.
    func setText(_ identifier: String, to value: String) throws(UnitError) {
        if identifier == "label", value.hasPrefix("/") { textValues["file"] = value }
        // And this time it reports a text that it does not have.
        if identifier == "label", value.hasPrefix("/") { textValues["unheard-of"] = value }
        guard identifier != "file" || access(value, R_OK) == 0 && value.hasPrefix("/") else {
            throw .failed("\"\(value)\" cannot be read")
        }
        textValues[identifier] = value
    }
}

private struct ScriptedKernel: RenderKernel, ~Copyable {
    private var gain: Float = 1

    @_noLocks mutating func apply(_ change: ParameterChange) { gain = Float(change.value) }

    @_noLocks mutating func render(_ block: RenderBlock) {
        for channel in 0..<block.output.channelCount {
            for frame in 0..<block.frameCount { block.output[channel][frame] = block.input[channel][frame] * gain }
        }
    }

    @_noLocks mutating func reset() {}
}
