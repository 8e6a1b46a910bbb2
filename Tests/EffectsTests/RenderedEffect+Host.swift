// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders an effect through the host, offline, in a process of its own unless the test wants otherwise. Test thread.

import AudioUnits
import HostingTestSupport
import PluginHosting
import TestSupport

extension RenderedEffect {
    /// Renders as many frames as the input has; the input has `channelCount` channels of equal length.
    ///
    /// The second input bus hears `sideInput`, which has as many channels, or is not connected.
    func render(_ input: [[Float]], sideInput: [[Float]]? = nil) throws -> [[Float]] {
        let unit = try instantiate()
        let link = BenchUnit(unit, sideInputs: sideInput.map { [$0.count] } ?? [], isBypassed: isBypassed)
        var bench = try Bench(
            [link], input: input, sideInput: sideInput, maximumFrameCount: blockSize, sampleRate: sampleRate)
        bench.tempo = tempo
        let output = try bench.renderInput { frames in try schedule(frames, unit) }
        try bench.checkWholeness()
        return output
    }

    private func instantiate() throws -> HostedUnit {
        let unit = try Build.unit(id, inProcess: isInProcess)
        if let preset { try unit.selectFactoryPreset(preset) }
        for (keyPath, value) in values { try unit.set(keyPath, to: value) }
        return unit
    }

    /// Schedules the reset and the automation that fall into these frames.
    private func schedule(_ frames: Range<Int>, _ unit: HostedUnit) throws {
        func isDue(_ seconds: Double) -> Bool { frames.contains(Int((seconds * sampleRate).rounded())) }
        if let resetSeconds, isDue(resetSeconds) { try unit.reset() }
        for point in automation where isDue(point.seconds) {
            let time = Int64((point.seconds * sampleRate).rounded())
            try unit.schedule(point.keyPath, to: point.value, at: time, rampFrameCount: point.rampFrameCount)
        }
    }
}
