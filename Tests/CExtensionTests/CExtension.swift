// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The extension in plain C, hosted as any other, and what it should sound like. Test thread.

import Glibc
import PluginHosting
import Realtime
import Rendering
import Testing

/// Samples at fixed addresses.
final class SampleMemory: @unchecked Sendable {
    // SAFETY: written in the initializer only.
    let channels: [UnsafePointer<Float>]

    init(_ samples: [[Float]]) {
        channels = samples.map {
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, $0.count))
            memory.initialize(from: $0, count: $0.count)
            return UnsafePointer(memory)
        }
    }

    deinit { for channel in channels { channel.deallocate() } }
}

/// A chain of C units, played offline.
struct CExtension {
    static let sampleRate = 48000.0
    static let blockSize = 64
    let units: [HostedUnit]
    let chain: UnitChain
    private let player = PlanPlayer()
    private let input: [[Float]]

    /// The component of the bundle `name`, which `make debug` makes.
    static func component(_ name: String = "Tremolo") throws -> Component {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let folders = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(
            separator: "/", omittingEmptySubsequences: false)
        return try Component(bundlePath: folders.dropLast().joined(separator: "/") + "/TestPlugins/\(name).bulkhead")
    }

    init(_ units: [HostedUnit], automation: [[AutomationLane]] = [], input: [[Float]], slotCount: Int = 2) throws {
        self.units = units
        self.input = input
        let links = units.enumerated().map { ChainLink($1, automation: $0 < automation.count ? automation[$0] : []) }
        chain = try UnitChain(
            links,
            format: ChainFormat(
                sampleRate: Self.sampleRate, maximumFrameCount: Self.blockSize, channelCount: input.count,
                slotCount: slotCount))
        let samples = SampleMemory(input)
        let source = SamplePlayer(
            channels: samples.channels, frameCount: input[0].count, isLooping: false, owner: samples)
        var builder = RenderPlanBuilder(channelCount: input.count, maximumFrameCount: Self.blockSize)
        let wet = builder.add(chain, after: builder.add(source: source))
        player.play(builder.plan(output: wet))
    }

    /// Renders the whole input. `perform` is called before each block with the number of its first frame.
    func render(blockSize: Int = blockSize, _ perform: (Int) throws -> Void = { _ in }) throws -> [[Float]] {
        var driver = OfflineDriver(
            player: player, channelCount: input.count, maximumFrameCount: Self.blockSize, sampleRate: Self.sampleRate)
        var output = [[Float]](repeating: [], count: input.count)
        var start = 0
        while start < input[0].count {
            try perform(start)
            let block = driver.render(frameCount: min(blockSize, input[0].count - start))
            for channel in output.indices {
                output[channel] += UnsafeBufferPointer(start: block[channel], count: block.frameCount)
            }
            start += block.frameCount
        }
        return output
    }

    static func noise(_ frameCount: Int, channels: Int = 2) -> [[Float]] {
        (0..<channels).map { channel in
            (0..<frameCount).map { Float((($0 &* 7919 &+ channel &* 104_729) &* 31_337) & 0xFFFF) / 65536 - 0.5 }
        }
    }
}

/// What the C code computes, in the same arithmetic.
struct TremoloModel {
    private struct Ramp {
        var current: Double
        var target: Double
        var step = 0.0
        var framesLeft = 0

        mutating func next() -> Double {
            if framesLeft > 0 {
                framesLeft -= 1
                current = framesLeft == 0 ? target : current + step
            }
            return current
        }
    }

    private var rate: Ramp
    private var depth: Ramp
    private var phase = 0.0

    init(rate: Double = 4, depth: Double) {
        self.rate = Ramp(current: rate, target: rate)
        self.depth = Ramp(current: depth, target: depth)
    }

    mutating func setDepth(_ value: Double, over frameCount: Int = 0) {
        depth = Ramp(
            current: frameCount == 0 ? value : depth.current, target: value,
            step: frameCount == 0 ? 0 : (value - depth.current) / Double(frameCount), framesLeft: frameCount)
    }

    mutating func setRate(_ value: Double) { rate = Ramp(current: value, target: value) }

    /// The gain of the next frame.
    mutating func next() -> Float {
        let share = depth.next() * 0.01
        let swing = phase < 0.5 ? 2 * phase : 2 - 2 * phase
        phase += rate.next() / CExtension.sampleRate
        if phase >= 1 { phase -= 1 }
        return Float(1 - share * swing)
    }

    mutating func process(_ input: [[Float]], _ perform: (inout TremoloModel, Int) -> Void = { _, _ in }) -> [[Float]] {
        var output = input
        for frame in input[0].indices {
            perform(&self, frame)
            let gain = next()
            for channel in input.indices { output[channel][frame] = input[channel][frame] * gain }
        }
        return output
    }
}
