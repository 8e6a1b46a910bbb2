// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders an effect through the host, offline, in a process of its own unless the test wants otherwise.

import AudioUnits
import Foundation
import PluginHosting
import Realtime
import Rendering

extension RenderedEffect {
    /// Renders as many frames as the input has. Channels of equal length, `channelCount` of them.
    func render(_ input: [[Float]]) throws -> [[Float]] {
        let unit = try instantiate()
        let format = ChainFormat(sampleRate: sampleRate, maximumFrameCount: blockSize, channelCount: channelCount)
        let chain = try UnitChain([ChainLink(unit)], format: format)
        let samples = SampleMemory(input)
        let source = SamplePlayer(
            channels: samples.channels, frameCount: input[0].count, isLooping: false, owner: samples)
        var builder = RenderPlanBuilder(channelCount: channelCount, maximumFrameCount: blockSize)
        let wet = builder.add(chain, after: builder.add(source: source))
        let player = PlanPlayer()
        player.play(builder.plan(output: wet))
        let output = try render(input[0].count, unit, player)
        guard chain.missedDeadlineCount == 0, chain.isWhole else { throw Failure("the unit missed a block or died") }
        return output
    }

    private func instantiate() throws -> HostedUnit {
        let unit = try HostedUnit(BuiltEffects.registry.get().component(named: id), inProcess: isInProcess)
        if let preset { try unit.selectFactoryPreset(preset) }
        for (keyPath, value) in values { try unit.set(keyPath, to: value) }
        return unit
    }

    private func render(_ frameCount: Int, _ unit: HostedUnit, _ player: PlanPlayer) throws -> [[Float]] {
        var output = [[Float]](repeating: [], count: channelCount)
        let silence = AudioBuffer(channelCount: 0, frameCapacity: blockSize)
        let buffer = AudioBuffer(channelCount: channelCount, frameCapacity: blockSize)
        var start = 0
        while start < frameCount {
            let count = min(blockSize, frameCount - start)
            try schedule(from: start, to: start + count, unit)
            let block = buffer.block(frameCount: count)
            let beats = Double(start) / sampleRate * tempo / 60
            player.render(
                RenderCycle(
                    sampleTime: Int64(start), hostTime: 0, sampleRate: sampleRate,
                    transport: Transport(tempo: tempo, beatPosition: beats), isOffline: true,
                    inputs: silence.block(frameCount: count), outputs: block))
            for channel in output.indices {
                output[channel] += UnsafeBufferPointer(start: block[channel], count: count)
            }
            start += count
        }
        return output
    }

    private func schedule(from start: Int, to end: Int, _ unit: HostedUnit) throws {
        func isDue(_ seconds: Double) -> Bool { (start..<end).contains(Int((seconds * sampleRate).rounded())) }
        if let resetSeconds, isDue(resetSeconds) { try unit.reset() }
        for point in automation where isDue(point.seconds) {
            let time = Int64((point.seconds * sampleRate).rounded())
            try unit.schedule(point.keyPath, to: point.value, at: time, rampFrameCount: point.rampFrameCount)
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}

/// Samples at fixed addresses.
private final class SampleMemory: @unchecked Sendable {
    // SAFETY: written in the initializer only.
    let channels: [UnsafePointer<Float>]

    init(_ input: [[Float]]) {
        channels = input.map { samples in
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, samples.count))
            memory.initialize(from: samples, count: samples.count)
            return UnsafePointer(memory)
        }
    }

    deinit { for channel in channels { channel.deallocate() } }
}

/// The effects that were built and bundled beside the tests, as `make debug` does.
private enum BuiltEffects {
    static let registry = Result {
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return ComponentRegistry(searchPath: [URL(fileURLWithPath: executable).deletingLastPathComponent().path])
    }
}
