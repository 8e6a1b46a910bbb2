// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A host of another package: renders ones through the plug-in of a bundle, in both kinds of process.

import PluginHosting

/// What a render thread may be; the compiler checks that it neither allocates nor locks.
@_noLocks
func renderOnes(_ render: PluginUnit.RenderBlock, _ output: AudioBlock) -> PluginUnit.RenderStatus {
    render(into: output) { fillWithOnes($0) }
}

@_noLocks
func fillWithOnes(_ block: AudioBlock) {
    for channel in 0..<block.channelCount { for frame in 0..<block.frameCount { block[channel][frame] = 1 } }
}

/// The first sample that the plug-in makes of ones.
func firstSample(_ component: Component, _ options: ComponentInstantiationOptions) async throws(HostingError) -> Float {
    let unit = try await PluginUnit.instantiate(component, options: options)
    try unit.setFormat(AudioFormat(sampleRate: 48_000, channelCount: 2))
    try unit.setValue(0.25, of: "factor")
    do throws(HostingError) {
        try unit.setValue(2, of: "factor")
    } catch .refused(_, _, .valueOutOfRange(let parameter, let value, let range), _) {
        print("\(parameter) is not \(value) but in \(range)")
    }
    unit.isRenderingOffline = true
    try unit.allocateRenderResources()
    let output = AudioBuffer(channelCount: 2, frameCapacity: 64)
    _ = renderOnes(unit.renderBlock, output.block(frameCount: 64))
    return output.block(frameCount: 64)[1][63]
}

HostConfiguration.current.name = "OutsideHost"
HostConfiguration.current.supportFolders = [CommandLine.arguments[2]]
var component = try Component(bundlePath: CommandLine.arguments[1])
// The program vouches for the plug-in in its user's name.
component.isTrusted = true
print("\(component.id) \(component.version)")
print("out of process \(try await firstSample(component, .loadOutOfProcess))")
print("in process \(try await firstSample(component, .loadInProcess))")
