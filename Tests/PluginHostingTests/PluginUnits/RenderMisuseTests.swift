// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Blocks with wrong events or buses: each is refused by its status, and nothing of it takes effect.

import AudioUnits
import ControlMessages
import Realtime
import Testing
import Wire

@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(1))) struct RenderMisuseTests {
    private static let one = [[Float]](repeating: [Float](repeating: 1, count: 64), count: 2)
    private static let gain: UInt64 = 100
    private static let good = BlockEvent.parameter(gain, to: 4, at: 0)

    /// Blocks of 64 frames through a unit whose gain shows whether an event was taken.
    private final class Scene {
        let unit: PluginUnit
        let memory = AudioBuffer(channelCount: 8, frameCapacity: 128)

        init() throws {
            unit = PluginUnit(try Build.unit("Probe", inProcess: true))
            try unit.setFormat(AudioFormat(sampleRate: 48_000, channelCount: 2))
            unit.isRenderingOffline = true
            try unit.allocateRenderResources()
        }

        func block(_ channelCount: Int, frameCount: Int = 64) -> AudioBlock {
            let all = memory.block(frameCount: frameCount)
            for channel in 0..<8 { for frame in 0..<frameCount { all[channel][frame] = 1 } }
            return AudioBlock(channels: all.channels, channelCount: channelCount, frameCount: frameCount)
        }

        /// What becomes of a block with these events; a refused one must be silent and without effect.
        func status(_ events: [BlockEvent]) -> PluginUnit.RenderStatus {
            let blocks = [block(2)]
            let status = unit.renderBlock(blocks, into: blocks, frameCount: 64, events: events)
            if status != .rendered { #expect(blocks[0][0][0] == 0 && blocks[0][1][63] == 0) }
            let plain = block(2)
            #expect(unit.renderBlock(plain, into: plain) == .rendered)
            if status != .rendered { #expect(plain[0][0] == 1 && plain[1][63] == 1, "\(status)") }
            return status
        }
    }

    @Test func wrongEventsAreRefused() throws {
        let scene = try Scene()
        let good = Self.good
        #expect(scene.status([good, .parameter(Self.gain, to: 4, at: 64)]) == .eventOutsideBlock)
        #expect(scene.status([.parameter(Self.gain, to: 4, at: -1)]) == .eventOutsideBlock)
        #expect(scene.status([good, .parameter(Self.gain, to: 4, at: .max)]) == .eventOutsideBlock)
        #expect(scene.status([good, .parameter(Self.gain, to: 4, at: .min)]) == .eventOutsideBlock)
        #expect(scene.status([.parameter(Self.gain, to: 4, at: 9), .parameter(Self.gain, to: 4, at: 8)]) == .eventsOutOfOrder)
        #expect(scene.status([good, .parameter(99, to: 4, at: 8)]) == .unknownParameter)
        // A meter.
        #expect(scene.status([good, .parameter(30, to: 4, at: 8)]) == .unknownParameter)
        for value in [4.5, -4.5, .nan, .infinity, -.infinity] {
            #expect(scene.status([good, .parameter(Self.gain, to: value, at: 8)]) == .valueOutOfRange)
        }
        for count: UInt8 in [0, 17, 255] {
            #expect(scene.status([good, .midi(MIDIMessage(low: 0x90, byteCount: count), at: 8)]) == .impossibleMessage)
        }
        let many = [BlockEvent](repeating: good, count: BlockEvent.maximumCount + 1)
        #expect(scene.status(many) == .tooManyEvents)
        #expect(scene.status([BlockEvent](repeating: .parameter(Self.gain, to: 1, at: 63), count: many.count - 1)) == .rendered)
        #expect(scene.status([.parameter(Self.gain, to: 1, at: 63, rampFrameCount: .max)]) == .rendered)
    }

    @Test func wrongBusesAreRefused() throws {
        let scene = try Scene()
        let render = scene.unit.renderBlock
        let (two, none) = ([scene.block(2)], [AudioBlock]())
        let three = [two[0], two[0], two[0]]
        #expect(render(three, into: two, frameCount: 64) == .wrongBuses && two[0][0][0] == 0)
        #expect(render(two, into: [two[0], two[0]], frameCount: 64) == .wrongBuses)
        // The side chain is not connected.
        #expect(render([two[0], two[0]], into: two, frameCount: 64) == .wrongBuses)
        let empty = AudioBlock(channels: two[0].channels, channelCount: 0, frameCount: 64)
        #expect(render([two[0], empty], into: two, frameCount: 64) == .rendered)
        for length in [32, 65, 0, -5, .max] {
            let other = [AudioBlock(channels: two[0].channels, channelCount: length > 128 ? 0 : 2, frameCount: length)]
            #expect(render(two, into: other, frameCount: 64) == .wrongBuses)
        }
        #expect(render(two, into: two, frameCount: -1) == .tooManyFrames)
        #expect(render(two, into: two, frameCount: 5000) == .tooManyFrames)
        #expect(render(none, into: none, frameCount: 64) == .rendered)
        #expect(render(none, into: none, frameCount: 0) == .rendered)
        #expect(render(none, into: none, frameCount: 0, events: [Self.good]) == .eventOutsideBlock)
        scene.unit.deallocateRenderResources()
        _ = scene.block(2)
        #expect(render(two, into: two, frameCount: 64, events: [Self.good]) == .noResources && two[0][1][63] == 0)
    }

    @Test(arguments: [(-1, 64), (2, -1), (2, .min), (.min, 64), (-1, -1)] as [(Int, Int)]) func negativeCountsAreRefused(
        channelCount: Int, frameCount: Int
    ) throws {
        let scene = try Scene()
        let (render, good) = (scene.unit.renderBlock, scene.block(2))
        let bad = AudioBlock(channels: good.channels, channelCount: channelCount, frameCount: frameCount)
        #expect(render(bad, into: good) == .wrongBuses && good[0][0] == 0)
        #expect(render([bad], into: [good], frameCount: 64) == .wrongBuses)
        #expect(render([good], into: [bad], frameCount: 64) == .wrongBuses)
        #expect(render(good, into: bad) == (channelCount < 0 ? .wrongBuses : .tooManyFrames))
        #expect(render(into: bad) { _ in } != .rendered)
        #expect(render(scene.block(2), into: scene.block(2)) == .rendered)
    }

    @Test(arguments: [[-1], [Int.max, Int.max], [3], [2, 2]]) func impossibleBusesAreRefused(sideInputs: [Int]) throws {
        let unit = PluginUnit(try Build.unit("Probe", inProcess: true))
        let stereo = AudioFormat(sampleRate: 48_000, channelCount: 2)
        if sideInputs != [3] {
            #expect(throws: HostingError.self) { try unit.setFormat(stereo, sideInputs: sideInputs) }
            #expect(unit.sideInputs == [])
        }
        for outputs in [[], [2, 2], [-1], [.max]] {
            #expect(throws: HostingError.self) { try unit.setFormat(stereo, outputs: outputs) }
        }
    }

    /// A render thread of a program: the compiler checks that nothing of the call allocates or locks.
    @_noLocks
    private static func renderInRealTime(
        _ render: PluginUnit.RenderBlock, _ blocks: UnsafeBufferPointer<AudioBlock>, _ events: UnsafeBufferPointer<BlockEvent>
    ) -> PluginUnit.RenderStatus {
        render(blocks, into: blocks, frameCount: 64, events: events)
    }

    @Test func aRenderThreadCallsIt() throws {
        let scene = try Scene()
        let (blocks, events) = ([scene.block(2)], [Self.good])
        let status = blocks.withUnsafeBufferPointer { blocks in
            events.withUnsafeBufferPointer { Self.renderInRealTime(scene.unit.renderBlock, blocks, $0) }
        }
        #expect(status == .rendered && blocks[0][0][0] == 4)
    }

    /// Events for a unit that cannot be asked wait, bounded: the newest value of each parameter, and the newest messages.
    @Test func whatWaitsForLongIsTheNewest() throws {
        let tree = ParameterTree([
            .parameter(Parameter("a", name: "A", address: 1, range: 0...1e6, default: 0)),
            .parameter(Parameter("b", name: "B", address: 2, range: 0...1e6, default: 0)),
        ])
        var queue = BlockEvents(tree, sampleRate: 48_000)
        let first: [BlockEvent] = [.parameter(2, to: 7, at: 0)]
        func take(_ events: [BlockEvent], at sampleTime: Int64) -> PluginUnit.RenderStatus? {
            events.withUnsafeBufferPointer { queue.take($0, at: sampleTime, frameCount: 1000) }
        }
        #expect(take(first, at: 0) == nil)
        queue.endBlock()
        for block in 0..<10 {
            let events = (0..<300).map { index -> BlockEvent in
                index % 2 == 0
                    ? .parameter(1, to: Double(block * 300 + index), at: index) : .midi(MIDIMessage(0x90, UInt8(block)), at: index)
            }
            #expect(take(events, at: Int64(block * 1000)) == nil)
            queue.endBlock()
        }
        var waiting: [RenderEvent] = []
        while let event = queue.next {
            waiting += RenderEvent(event).map { [$0] } ?? []
            queue.advance()
        }
        #expect(waiting.count <= BlockEvents.capacity)
        #expect(waiting.last == .midi(MIDIMessage(0x90, 9)))
        #expect(waiting.contains(.parameter(ParameterChange(address: 2, value: 7))))
        let last = waiting.last { if case .parameter(let change) = $0 { change.address == 1 } else { false } }
        #expect(last == .parameter(ParameterChange(address: 1, value: 2998)))
        queue.rewind()
        #expect(queue.next != nil)
        while queue.next != nil { queue.advance() }
        queue.endBlock()
        #expect(queue.next == nil)
    }
}
