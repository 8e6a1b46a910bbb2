// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Streams as they are heard, beside models of them. Test thread.

import AudioFormats
import AudioGraph
import Realtime
import Synchronization
import Testing

@testable import SoundEvents

/// The endings of buffers, in their order.
private final class BufferEndings: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func add(_ name: String) -> @Sendable (StreamBufferEnding) -> Void {
        { ending in self.list.withLock { $0.append("\(name) \(ending)") } }
    }
}

/// Renders its frame number as a share of 1000.
private struct Counter: AudioGenerator, Sendable, ~Copyable {
    @_noLocks
    mutating func render(_ output: AudioBlock, at sampleTime: Int64) -> Bool {
        for frame in 0..<output.frameCount { output[0][frame] = Float(sampleTime &+ Int64(frame)) / 1000 }
        return false
    }
}

@Suite(.timeLimit(.minutes(2))) struct StreamTests {
    private func buffer(_ samples: [Float], rate: Double = 48_000) throws -> AudioPCMBuffer {
        let buffer = try #require(
            AudioPCMBuffer(pcmFormat: AudioFormat(sampleRate: rate, channelCount: 1), frameCapacity: max(1, samples.count)))
        buffer.frameLength = samples.count
        for (frame, sample) in samples.enumerated() { buffer.floatChannelData?[0][frame] = sample }
        return buffer
    }

    private func constant(_ level: Float, _ count: Int) throws -> AudioPCMBuffer {
        try buffer(Array(repeating: level, count: count))
    }

    private func stream(_ channelCount: Int = 1, rate: Double? = nil, _ change: (inout SoundStream) -> Void = { _ in })
        -> SoundStream
    {
        var stream = SoundStream("voice", mixer: EventBench.mixer, channelCount: channelCount, sampleRate: rate)
        change(&stream)
        return stream
    }

    /// An event of a push stream, and its node.
    private func push(_ bench: EventBench, _ stream: SoundStream) throws -> (event: SoundEvent, node: PushStreamNode) {
        let event = try bench.event(.push(stream))
        return (event, try #require(event.pushStreams["voice"]))
    }

    @Test(arguments: [1, 100, 512]) func buffersFollowEachOtherAndAnEmptyQueueIsSilentAndCounted(block: Int) throws {
        let bench = try EventBench()
        let (push, endings) = (try push(bench, stream()), BufferEndings())
        try push.node.schedule(buffer((1...300).map { Float($0) / 300 }), completion: endings.add("ramp"))
        try push.event.start()
        try push.node.schedule(constant(0.5, 200), completion: endings.add("half"))
        expect(try bench.render(600, block: block)) { $0 < 300 ? Double($0 + 1) / 300 : $0 < 500 ? 0.5 : 0 }
        try bench.present.update()
        #expect(endings.all == ["ramp rendered", "half rendered"] && push.node.missingFrameCount == 100)
        try push.node.schedule(constant(0.25, 100))
        expect(try bench.render(200, block: block)) { $0 < 100 ? 0.25 : 0 }
        #expect(push.event.phase == .started && push.node.missingFrameCount == 200)
    }

    @Test func anEventWithoutBuffersPlaysSilenceAndABufferIsACopy() throws {
        let bench = try EventBench()
        let push = try push(bench, stream())
        try push.event.start()
        #expect(try bench.render(512).allSatisfy { $0 == 0 })
        let half = try constant(0.5, 64)
        try push.node.schedule(half)
        half.floatChannelData?[0].update(repeating: 9, count: 64)
        expect(try bench.render(64)) { _ in 0.5 }
    }

    @Test func loopsGoOnUntilTheyAreInterrupted() throws {
        let bench = try EventBench()
        let (push, endings) = (try push(bench, stream()), BufferEndings())
        let ramp = try buffer((1...100).map { Float($0) / 100 })
        func level(_ frame: Int) -> Double { Double(frame % 100 + 1) / 100 }
        try push.node.schedule(ramp, options: .loops, completion: endings.add("loop"))
        try push.node.schedule(constant(0.9, 10), completion: endings.add("waiting"))
        try push.event.start()
        expect(try bench.render(250), level)
        // Behind the end of the loop, in place of what waits.
        try push.node.schedule(constant(0.5, 100), options: .interruptsAtLoop, completion: endings.add("next"))
        expect(try bench.render(100)) { $0 < 50 ? level(250 + $0) : 0.5 }
        // At once.
        try push.node.schedule(constant(0.25, 10), options: [.interrupts, .loops], completion: endings.add("last"))
        expect(try bench.render(100)) { _ in 0.25 }
        try bench.present.update()
        #expect(Set(endings.all) == ["loop rendered", "waiting stopped", "next stopped"] && endings.all.count == 3)
        push.event.stop()
        _ = try bench.render(512)
        // One call for the event, and one for its buffers.
        try bench.present.update()
        try bench.present.update()
        #expect(endings.all.last == "last stopped" && endings.all.count == 4)
    }

    @Test func aStopEndsBuffersOnceAndNoneIsTakenAfterwards() throws {
        let bench = try EventBench()
        let (push, endings, ends) = (try push(bench, stream()), BufferEndings(), Endings())
        try push.event.start { ends.add($0) }
        for index in 0..<3 { try push.node.schedule(constant(0.5, 1000), completion: endings.add("\(index)")) }
        expect(try bench.render(500)) { _ in 0.5 }
        push.event.stop()
        expect(try bench.render(512)) { 0.5 * max(0, 1 - Double($0) / 240) }
        for _ in 0..<3 { try bench.present.update() }
        #expect(endings.all == ["0 stopped", "1 stopped", "2 stopped"] && ends.all == [.stopped])
        let late = try constant(0.5, 8)
        do throws(SoundEventError) {
            try push.node.schedule(late, completion: endings.add("late"))
            Issue.record("It has been scheduled.")
        } catch { #expect("\(error)" == "The sound event has ended: make another one of the same tree.") }
        #expect(endings.all.count == 3)
    }

    @Test func buffersOfAnEventThatNeverStartsEnd() throws {
        let (bench, endings) = (try EventBench(), BufferEndings())
        do {
            let push = try push(bench, stream())
            try push.node.schedule(constant(0.5, 10), completion: endings.add("a"))
            try push.node.schedule(constant(0.5, 10), options: .interrupts, completion: endings.add("b"))
            #expect(endings.all.isEmpty)
        }
        #expect(endings.all == ["a stopped", "b stopped"])
    }

    @Test(arguments: [AudioCommonFormat.pcmFormatInt16, .pcmFormatInt32, .pcmFormatFloat64, .pcmFormatFloat32], [true, false])
    func buffersOfAnySampleFormat(kind: AudioCommonFormat, isInterleaved: Bool) throws {
        let bench = try EventBench()
        let push = try push(bench, stream(2))
        let format = try #require(
            AudioFormat(commonFormat: kind, sampleRate: 48_000, channels: 2, interleaved: isInterleaved))
        let buffer = try #require(AudioPCMBuffer(pcmFormat: format, frameCapacity: 256))
        buffer.frameLength = 256
        let step = isInterleaved ? 2 : 1
        for channel in 0..<2 {
            for frame in 0..<256 {
                let value = (channel == 0 ? 1 : -1) * Double(frame) / 256
                buffer.floatChannelData?[channel][frame * step] = Float(value)
                buffer.doubleChannelData?[channel][frame * step] = value
                buffer.int16ChannelData?[channel][frame * step] = Int16(value * 32_768)
                buffer.int32ChannelData?[channel][frame * step] = Int32(value * 2_147_483_648)
            }
        }
        try push.node.schedule(buffer)
        try push.event.start()
        let sound = try bench.graph.render(256, block: 100)
        expect(sound[0]) { Double($0) / 256 }
        expect(sound[1]) { -Double($0) / 256 }
    }

    @Test(arguments: [1, 2, 5, 6, 8, 16]) func aNumberOfChannelsIsEnough(count: Int) throws {
        let bench = try EventBench()
        let push = try push(bench, stream(count))
        let format = AudioFormat(sampleRate: 48_000, channelCount: count)
        let buffer = try #require(AudioPCMBuffer(pcmFormat: format, frameCapacity: 64))
        buffer.frameLength = 64
        for channel in 0..<count { buffer.floatChannelData?[channel].update(repeating: 0.5, count: 64) }
        try push.node.schedule(buffer)
        try push.event.start()
        let level = try bench.render(64)[32]
        #expect(level > 0 && level.isFinite)
    }

    @Test(arguments: [24_000.0, 44_100, 96_000]) func aStreamHasARateOfItsOwn(rate: Double) throws {
        let bench = try EventBench()
        let push = try push(bench, stream(rate: rate))
        let sine = (0..<Int(rate / 2)).map { Float(Maths.sin(2 * Double.pi * 440 * Double($0) / rate)) }
        for start in stride(from: 0, to: sine.count, by: 700) {
            try push.node.schedule(buffer(Array(sine[start..<min(sine.count, start + 700)]), rate: rate))
        }
        try push.event.start()
        let sound = try bench.render(8192, block: 333)
        expect(Array(sound[100...]), { Maths.sin(2 * Double.pi * 440 * Double($0 + 100) / 48_000) }, within: 2e-4)
    }

    @Test func aStreamIsTheSameBitsForBlocksOfEachLength() throws {
        func sound(_ block: Int) throws -> [Float] {
            let bench = try EventBench()
            let push = try push(bench, stream(rate: 44_100))
            for _ in 0..<20 { try push.node.schedule(buffer((0..<1000).map { Float(($0 * 7919) % 997) / 997 }, rate: 44_100)) }
            try push.node.fadeRate(to: 1.3)
            try push.event.start(at: 77)
            let first = try bench.render(4096, block: block)
            try push.node.fadeRate(to: 48_000 / 44_100, over: 0.01)
            return first + (try bench.render(4096, block: block))
        }
        let whole = try sound(4096)
        #expect(whole.contains { $0 != 0 })
        for block in [1, 64, 512] { #expect(try sound(block) == whole, "blocks of \(block)") }
    }

    @Test func aStreamHasItsOwnGainAndRate() throws {
        let bench = try EventBench()
        let push = try push(bench, stream())
        for _ in 0..<4 { try push.node.schedule(constant(1, 1000)) }
        try push.node.fadeGain(to: 0.5)
        try push.event.start()
        expect(try bench.render(500)) { _ in 0.5 }
        try push.node.fadeGain(to: 1, over: 0.01)
        expect(try bench.render(500)) { 0.5 + 0.5 * min(1, Double($0) / 480) }
        try push.node.fadeRate(to: 2)
        _ = try bench.render(1400)
        #expect(push.node.missingFrameCount == 0)
        _ = try bench.render(200)
        #expect(push.node.missingFrameCount > 0)
        #expect(throws: SoundEventError.self) { try push.node.fadeGain(to: .nan) }
        #expect(throws: SoundEventError.self) { try push.node.fadeRate(to: 1, over: .nan) }
    }

    @Test(arguments: [1, 100, 512]) func aPullStreamPlaysWhatTheProgramRenders(block: Int) throws {
        let bench = try EventBench()
        let event = try bench.event(.pull(stream { $0.level = 0.5 }))
        let node = try #require(event.pullStreams["voice"])
        do throws(SoundEventError) {
            try event.start()
            Issue.record("It has started.")
        } catch {
            #expect("\(error)" == "Nothing renders the pull stream \"voice\": give it a block or a generator before the start.")
        }
        try node.setGenerator(Counter())
        try event.start(at: 50)
        expect(try bench.render(1000, block: block)) { $0 < 50 ? 0 : Double($0 - 50) / 2000 }
        #expect(throws: SoundEventError.self) { try node.setGenerator(Counter()) }
        event.pause()
        _ = try bench.render(512, block: block)
        event.resume()
        // The pause has cost no frame but those of its fade.
        #expect(try bench.render(300, block: block)[299] == Float(950 + 240 + 299) / 2000)
    }

    @Test func aBlockRendersAndMaySayThatItIsSilent() throws {
        let bench = try EventBench()
        let event = try bench.event(.pull(stream()))
        try event.pullStreams["voice"]?.setRenderBlock { isSilence, time, output in
            for frame in 0..<output.frameCount { output[0][frame] = 0.5 }
            isSilence = time >= 512
        }
        try event.start()
        expect(try bench.render(1024, block: 256)) { $0 < 512 ? 0.5 : 0 }
        #expect(event.pushStreams.isEmpty)
        event.stop()
        _ = try bench.render(512)
        try bench.present.update()
        #expect(event.phase == .ended)
    }

    @Test func wrongStreamsAreRefused() throws {
        let bench = try EventBench()
        func refuses(_ root: SoundNode) -> Bool {
            do {
                _ = try bench.event(root)
                return false
            } catch { return error is SoundEventError }
        }
        #expect(refuses(.push(stream(0))) && refuses(.pull(stream(256))))
        #expect(refuses(.container([.push(stream()), .pull(stream())])))
        #expect(refuses(.push(stream(rate: 0))) && refuses(.push(stream(rate: .nan))) && refuses(.push(stream(rate: 1e6))))
        #expect(refuses(.push(stream { $0.level = .nan })) && refuses(.push(stream { $0.layout = .fivePointOne })))
        let push = try push(bench, stream())
        let stereo = try #require(AudioPCMBuffer(pcmFormat: AudioFormat(sampleRate: 44_100, channelCount: 2), frameCapacity: 8))
        do throws(SoundEventError) {
            try push.node.schedule(stereo)
            Issue.record("It has been scheduled.")
        } catch {
            let sentence =
                "The stream \"voice\" takes 1 channel at 48000 Hz, and the buffer has 2 channels at 44100 Hz: convert it first."
            #expect("\(error)" == sentence)
        }
        #expect(throws: SoundEventError.self) { try push.node.schedule(try buffer([])) }
        #expect(throws: SoundEventError.self) { try push.node.schedule(try buffer([1], rate: 44_100)) }
    }
}
