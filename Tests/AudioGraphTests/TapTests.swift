// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Taps: every frame once and in order, in buffers of the size that was asked for. Test thread.

import AudioFiles
import AudioGraph
import Foundation
import HostingTestSupport
import LinuxSystem
import PluginHosting
import Rendering
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct TapTests {
    /// What a tap has handed out.
    private final class Catch: Sendable {
        private struct State {
            var lengths: [Int] = []
            var samples: [Float] = []
            var times: [Int64] = []
        }
        private let state = Mutex(State())

        func take(_ buffer: AudioPCMBuffer, _ time: AudioTime) {
            state.withLock { state in
                state.lengths.append(buffer.frameLength)
                state.times.append(time.sampleTime ?? -1)
                state.samples += UnsafeBufferPointer(start: buffer.samples[0], count: buffer.frameLength)
            }
        }

        var lengths: [Int] { state.withLock { $0.lengths } }
        var times: [Int64] { state.withLock { $0.times } }
        var samples: [Float] { state.withLock { $0.samples } }
    }

    private let engine: AudioEngine
    private let player = AudioPlayerNode()
    private static let length = 1111

    init() throws {
        engine = try AudioEngine.offline()
        engine.attach(player)
        player.scheduleBuffer(try Sounds.ramp(Self.length), options: .loops)
        player.play()
    }

    private func ramp(_ count: Int, from start: Int = 0) -> [Float] {
        (start..<start + count).map { Float($0 % Self.length + 1) / 65_536 }
    }

    /// What the render thread writes while the reader looks is no gap.
    @Test func noBufferIsShortThoughTheReaderKeepsUpWithTheRenderThread() throws {
        try engine.connect(player, to: engine.mainMixerNode)
        let taken = try [37, 480, 700].map { size in
            let caught = Catch()
            return (size, caught, try player.installTap(onBus: 0, bufferSize: size) { caught.take($0, $1) })
        }
        try engine.start()
        let output = try #require(AudioPCMBuffer(pcmFormat: Sounds.format(), frameCapacity: 512))
        for _ in 0..<6000 { try engine.renderOffline(512, to: output) }
        for (size, caught, _) in taken {
            let count = 6000 * 512 / size
            #expect(waitUntil(milliseconds: 30_000) { caught.lengths.count >= count })
            #expect(caught.lengths.allSatisfy { $0 == size }, "\(size)")
        }
    }

    @Test func aTapAndARecordingMayComeBeforeTheDevicesRateIsKnown() async throws {
        let driver = ChangingDriver(rate: 0)
        let engine = AudioEngine(driver: driver)
        let source = AudioSourceNode { _, _, output in
            for frame in 0..<output.frameCount { output[0][frame] = 0.25 }
        }
        engine.attach(source)
        try engine.connect(source, to: engine.mainMixerNode)
        let path = ScratchFolder()
        let recording = try source.record(to: path.file("a.wav"))
        let caught = Catch()
        let mono = AudioFormat(sampleRate: 48_000, channelCount: 1)
        let taps = [
            try source.installTap(onBus: 0, bufferSize: 1000) { caught.take($0, $1) },
            try source.installTap(onBus: 0, bufferSize: 1000, format: mono) { _, _ in },
        ]
        #expect(taps.map(\.format.sampleRate) == [48_000, 48_000])
        driver.change(to: 44_100)
        try engine.start()
        _ = driver.render(44_100)
        engine.stop()
        for tap in taps {
            tap.remove()
            await tap.finished()
        }
        try await recording.finish()
        // A second of the device is a second of the tap; the converter holds the last frames back.
        #expect((47_000...48_000).contains(caught.samples.count), "\(caught.samples.count)")
        #expect(caught.samples[1000..<46_000].allSatisfy { abs($0 - 0.25) < 1e-3 })
        let file = try AudioFile(forReading: path.file("a.wav"))
        #expect(file.fileFormat.sampleRate == 48_000 && file.length == Int64(caught.samples.count))
    }

    @Test(arguments: [(1, 3000), (31, 3001), (512, 10_000), (4096, 50_000), (65_536, 200_000), (1 << 20, 1_500_000)])
    func aTapHandsOutEveryFrameInBuffersOfItsSize(size: Int, frameCount: Int) async throws {
        try engine.connect(player, to: engine.mainMixerNode)
        let caught = Catch()
        let tap = try player.installTap(onBus: 0, bufferSize: size) { caught.take($0, $1) }
        try engine.start()
        var left = frameCount
        for block in [1, 77, 4096, 1024] where left >= block {
            _ = try engine.render(block, block: block)
            left -= block
        }
        _ = try engine.render(left, block: 4096)
        tap.remove()
        await tap.finished()
        let whole = frameCount / size
        #expect(Array(caught.lengths.prefix(whole)) == [Int](repeating: size, count: whole))
        #expect(caught.lengths.dropFirst(whole) == (frameCount % size > 0 ? [frameCount % size] : []))
        #expect(caught.times == caught.lengths.indices.map { Int64($0 * size) })
        #expect(caught.samples == ramp(frameCount) && tap.droppedFrameCount == 0)
        // It hears nothing more.
        _ = try engine.render(5000)
        #expect(caught.samples.count == frameCount)
    }

    @Test func aBusHasAnyNumberOfTapsAndANodeThatLeadsNowhereIsHeard() async throws {
        _ = engine.mainMixerNode
        let caught = (0..<3).map { _ in Catch() }
        let taps = try caught.enumerated().map { index, one in
            try player.installTap(onBus: 0, bufferSize: 100 << index) { one.take($0, $1) }
        }
        try engine.start()
        let heard = try engine.render(6400)
        #expect(heard[0].allSatisfy { $0 == 0 })
        player.removeTap(onBus: 0)
        for tap in taps { await tap.finished() }
        for one in caught { #expect(one.samples == ramp(6400)) }
    }

    @Test func aUnitInARowIsTappedWhileItPlays() async throws {
        var units: [AudioUnitEffect] = []
        for _ in 0..<3 { units.append(AudioUnitEffect(PluginUnit(try Build.unit("Gain")))) }
        var last: AudioNode = player
        for unit in units {
            engine.attach(unit)
            try engine.connect(last, to: unit)
            last = unit
        }
        try engine.connect(last, to: engine.mainMixerNode)
        try engine.start()
        var heard = try engine.render(3000)[0]
        let caught = Catch()
        let tap = try units[1].installTap(onBus: 0, bufferSize: 64) { caught.take($0, $1) }
        heard += try engine.render(3000)[0]
        tap.remove()
        heard += try engine.render(3000)[0]
        await tap.finished()
        #expect(heard == ramp(9000))
        #expect(caught.samples == ramp(3000, from: 3000) && caught.times.first == 3000)
    }

    @Test func aTapMayHaveOtherChannels() async throws {
        try engine.connect(player, to: engine.mainMixerNode)
        let caught = Catch()
        let tap = try player.installTap(onBus: 0, bufferSize: 500, format: Sounds.format(1)) { caught.take($0, $1) }
        try engine.start()
        _ = try engine.render(500)
        tap.remove()
        await tap.finished()
        // The second channel is the negative of the first.
        #expect(caught.samples == [Float](repeating: 0, count: 500))
    }

    @Test func aSequenceEndsWithItsTap() async throws {
        try engine.connect(player, to: engine.mainMixerNode)
        let buffers = try player.tap(onBus: 0, bufferSize: 256)
        try engine.start()
        _ = try engine.render(1000)
        player.removeTap(onBus: 0)
        var samples: [Float] = []
        for await tapped in buffers {
            #expect(tapped.time.sampleTime == Int64(samples.count))
            samples += UnsafeBufferPointer(start: tapped.buffer.samples[0], count: tapped.buffer.frameLength)
        }
        #expect(samples == ramp(1000))
    }

    /// In real time the music does not wait: what finds no room is counted, and the times tell of the gap.
    @Test func aSlowHandlerLosesFramesThatAreCounted() async throws {
        let driver = SteppedDriver(channelCount: 2, maximumFrameCount: 4096, sampleRate: Sounds.rate)
        let live = AudioEngine(driver: driver)
        let source = AudioSourceNode { _, sampleTime, output in
            for frame in 0..<output.frameCount { output[0][frame] = Float(sampleTime + Int64(frame)) / 1_048_576 }
        }
        live.attach(source)
        try live.connect(source, to: live.mainMixerNode)
        let (caught, isHeld) = (Catch(), Flag())
        let tap = try source.installTap(onBus: 0, bufferSize: 1000) { buffer, time in
            while isHeld.isUp { Futex.pause(microseconds: 500) }
            caught.take(buffer, time)
        }
        try live.start()
        isHeld.isUp = true
        for _ in 0..<100 { driver.render(frameCount: 4096, isOffline: false, slowdown: 1000) }
        #expect(tap.droppedFrameCount > 0)
        isHeld.isUp = false
        while caught.samples.count + Int(tap.droppedFrameCount) < 100 * 4096 - 1000 { Futex.pause(microseconds: 500) }
        for _ in 0..<10 { driver.render(frameCount: 4096, isOffline: false, slowdown: 1000) }
        live.stop()
        tap.remove()
        await tap.finished()
        #expect(caught.samples.count + Int(tap.droppedFrameCount) == 110 * 4096)
        // Every buffer holds what was rendered at its time, without a gap inside.
        var start = 0
        for (length, time) in zip(caught.lengths, caught.times) {
            let wanted = (0..<length).map { Float(time + Int64($0)) / 1_048_576 }
            #expect(Array(caught.samples[start..<start + length]) == wanted)
            start += length
        }
    }

    @Test func aPerformanceIsRecordedIntoAFile() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).wav").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let other = AudioPlayerNode()
        engine.attach(other)
        other.scheduleBuffer(try Sounds.ramp(777), options: .loops)
        other.play()
        try engine.connect(player, to: engine.mainMixerNode)
        try engine.connect(other, to: engine.mainMixerNode)
        let recording = try engine.mainMixerNode.record(to: path)
        try engine.start()
        var heard = try engine.render(20_000)
        player.volume = 0.25
        for (channel, samples) in try engine.render(20_000).enumerated() { heard[channel] += samples }
        try await recording.finish()
        #expect(recording.frameCount == 40_000 && recording.droppedFrameCount == 0)
        let taken = try AudioPCMBuffer(contentsOf: path)
        #expect(taken.frameLength == 40_000)
        for channel in 0..<2 {
            #expect((0..<40_000).allSatisfy { abs(taken.samples[channel][$0] - heard[channel][$0]) < 1e-6 })
        }
        let mixer = engine.mainMixerNode
        #expect(throws: AudioFileError.self) { try mixer.record(to: "/nowhere/take.wav") }
    }

    @Test func whatCannotBeTappedIsRefused() throws {
        func refusal(_ bus: Int, _ size: Int, _ format: AudioFormat? = nil) -> String {
            do throws(AudioEngineError) {
                try player.installTap(onBus: bus, bufferSize: size, format: format) { _, _ in }
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(refusal(1, 100).contains("has no output bus 1"))
        #expect(refusal(0, 0) == "\"Player\" can be tapped in buffers of 1 to 1048576 frames, and not of 0.")
        #expect(refusal(0, 100, AudioFormat(sampleRate: 44, channelCount: 2)).contains("too far away"))
        #expect(refusal(0, 100, AudioFormat(sampleRate: 48_000, channelCount: 300)).contains("cannot have"))
    }
}

/// A flag that two threads share.
private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isUp: Bool {
        get { value.load(ordering: .acquiring) }
        set { value.store(newValue, ordering: .releasing) }
    }
}
