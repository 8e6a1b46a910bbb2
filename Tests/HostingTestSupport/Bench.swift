// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units between a sound in memory and an output, rendered block by block by an engine: the bench on which they are tested. Test thread.

import AudioGraph
import LinuxSystem
import PluginHosting
import Realtime
import Rendering
import TestSupport

/// Units in a row that are rendered on the calling thread, without a clock.
package struct Bench: ~Copyable {
    /// The units under test, as the engine renders them.
    package let row: UnitRow
    /// Quarter notes a minute.
    package var tempo = 120.0
    /// Frames that have been rendered.
    package private(set) var sampleTime: Int64 = 0
    private let engine: AudioEngine
    private let driver: SteppedDriver
    private let inputFrameCount: Int

    /// Plays `input`, which has as many channels as the units, in blocks of up to `maximumFrameCount` frames.
    ///
    /// Further inputs of the first unit hear it too, or `sideInput`.
    package init(
        _ links: [BenchUnit], input: [[Float]], sideInput: [[Float]]? = nil, maximumFrameCount: Int = 512,
        sampleRate: Double = 48_000, isLooping: Bool = false, policy: UnitPolicy = UnitPolicy(), layout: ChannelLayout? = nil
    ) throws {
        inputFrameCount = input.first?.count ?? 0
        driver = SteppedDriver(channelCount: input.count, maximumFrameCount: maximumFrameCount, sampleRate: sampleRate)
        engine = AudioEngine(driver: driver)
        engine.setPolicy(policy, isPipelined: policy.pipelineFrameCount != nil, rendersAhead: policy.rendersAhead)
        engine.refuseUnitsThatDie()
        do {
            let format = AudioFormat(sampleRate: sampleRate, channelCount: input.count, layout: layout)
            try Self.connect(links, input, sideInput, format, isLooping, engine)
            try engine.start()
        } catch AudioEngineError.unit(_, let error) {
            engine.stop()
            throw error
        }
        row = engine.rows[0]
    }

    private static func connect(
        _ links: [BenchUnit], _ input: [[Float]], _ sideInput: [[Float]]?, _ format: AudioFormat, _ isLooping: Bool,
        _ engine: AudioEngine
    ) throws {
        let (player, sidePlayer) = (AudioPlayerNode(), AudioPlayerNode())
        var last: AudioNode = player
        for node in [player, sidePlayer] { engine.attach(node) }
        for (index, link) in links.enumerated() {
            let unit = PluginUnit(link.unit)
            (unit.fallback, unit.shouldBypassEffect) = (link.fallback, link.isBypassed)
            let effect = AudioUnitEffect(unit)
            effect.options.lanes = link.automation
            engine.attach(effect)
            let sides = index == 0 ? link.sideInputs.indices.filter { link.sideInputs[$0] > 0 } : []
            let sidePoints = sides.map { AudioConnectionPoint(node: effect, bus: $0 + 1) }
            let points = [AudioConnectionPoint(node: effect, bus: 0)] + (sideInput == nil ? sidePoints : [])
            if effect.numberOfInputs > 0 { try engine.connect(last, to: points, fromBus: 0, format: format) }
            if index == 0, sideInput != nil { try engine.connect(sidePlayer, to: sidePoints, fromBus: 0, format: format) }
            last = effect
        }
        if last.numberOfOutputs > 0 { try engine.connect(last, to: engine.outputNode, format: format) }
        for (node, sound) in [(player, input), (sidePlayer, sideInput ?? [])] {
            guard let buffer = AudioPCMBuffer(sound, format) else { continue }
            try node.scheduleBuffer(buffer, options: isLooping ? .loops : []).get()
            node.play()
        }
    }

    /// Plays `input` through these units.
    package init(
        _ units: [HostedUnit], input: [[Float]], maximumFrameCount: Int = 512, sampleRate: Double = 48_000,
        isLooping: Bool = false, layout: ChannelLayout? = nil
    ) throws {
        try self.init(
            units.map { BenchUnit($0) }, input: input, maximumFrameCount: maximumFrameCount, sampleRate: sampleRate,
            isLooping: isLooping, layout: layout)
    }

    deinit { engine.stop() }

    /// Renders one block and returns it, channel by channel.
    ///
    /// A `slowdown` gives the units that many times as long, so that a loaded machine misses no deadline.
    package mutating func render(_ frameCount: Int, isOffline: Bool = true, slowdown: Double = 1) -> [[Float]] {
        let beats = Double(sampleTime) / row.format.sampleRate * tempo / 60
        let block = driver.render(
            frameCount: frameCount, isOffline: isOffline, slowdown: slowdown,
            transport: Transport(tempo: tempo, beatPosition: beats))
        sampleTime += Int64(frameCount)
        return (0..<block.channelCount).map { Array(UnsafeBufferPointer(start: block[$0], count: frameCount)) }
    }

    /// Renders blocks of these sizes, one after the other, and joins them channel by channel.
    package mutating func render(blocks: [Int], isOffline: Bool = true) -> [[Float]] {
        var joined = [[Float]](repeating: [], count: row.format.channelCount)
        for frameCount in blocks { joined.extend(by: render(frameCount, isOffline: isOffline)) }
        return joined
    }

    /// Renders the rest of the input in blocks of `blockSize` frames, or of the maximum, and joins them channel by channel.
    ///
    /// `beforeBlock` gets the frames of each block.
    package mutating func renderInput(
        blockSize: Int? = nil, isOffline: Bool = true, slowdown: Double = 1,
        _ beforeBlock: (Range<Int>) throws -> Void = { _ in }
    ) throws -> [[Float]] {
        var joined = [[Float]](repeating: [], count: row.format.channelCount)
        while sampleTime < inputFrameCount {
            let start = Int(sampleTime)
            let frames = start..<min(start + (blockSize ?? row.format.maximumFrameCount), inputFrameCount)
            try beforeBlock(frames)
            joined.extend(by: render(frames.count, isOffline: isOffline, slowdown: slowdown))
        }
        return joined
    }

    /// Throws when a unit has died or missed a block.
    package func checkWholeness() throws {
        guard row.isWhole, row.missedDeadlineCount == 0 else {
            throw TestFailure("A unit on the bench missed a block or died.")
        }
    }
}

extension [[Float]] {
    /// Appends a block, channel by channel.
    fileprivate mutating func extend(by block: [[Float]]) {
        for (channel, samples) in block.enumerated() { self[channel] += samples }
    }
}

extension AudioPCMBuffer {
    /// A buffer of these samples, channel by channel; nil if there are none.
    fileprivate convenience init?(_ channels: [[Float]], _ format: AudioFormat) {
        self.init(pcmFormat: format, frameCapacity: channels.first?.count ?? 0)
        frameLength = frameCapacity
        for (channel, values) in channels.enumerated() { samples[channel].update(from: values, count: frameLength) }
    }
}
