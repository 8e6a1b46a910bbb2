// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sources and sinks of the program's own, as closures and as types. Test thread.

import AudioGraph
import HostingTestSupport
import Realtime
import Rendering
import Synchronization
import Testing

/// Counts upwards, 1 in 65,536 a frame.
private struct Counter: AudioGenerator, ~Copyable {
    private var next: Float = 1

    @_noLocks mutating func render(_ output: AudioBlock, at sampleTime: Int64) -> Bool {
        for frame in 0..<output.frameCount {
            for channel in 0..<output.channelCount { output[channel][frame] = next / 65_536 }
            next += 1
        }
        return false
    }
}

/// What a receiver has heard.
private final class Total: Sendable {
    let frameCount = Atomic<Int>(0)
    let peak = Atomic<UInt32>(0)
    let silentCount = Atomic<Int>(0)
}

private struct Meter: AudioReceiver, ~Copyable {
    let total: Unmanaged<Total>

    @_noLocks mutating func receive(_ input: AudioBlock, isSilence: Bool, at sampleTime: Int64) {
        total._withUnsafeGuaranteedRef { total in
            total.frameCount.wrappingAdd(input.frameCount, ordering: .relaxed)
            if isSilence { total.silentCount.wrappingAdd(input.frameCount, ordering: .relaxed) }
            total.peak.store(input.peak(ofChannel: 0).bitPattern, ordering: .relaxed)
        }
    }
}

@Suite struct ProgramNodeTests {
    @Test func aGeneratorOfTheProgramsIsHeardAndASinkHearsIt() throws {
        let engine = try AudioEngine.offline()
        let total = Total()
        let (source, sink) = (
            AudioSourceNode(Counter(), format: Sounds.format(2)), AudioSinkNode(Meter(total: .passUnretained(total)))
        )
        engine.attach(source)
        engine.attach(sink)
        try engine.connect(
            source, to: [AudioConnectionPoint(node: engine.mainMixerNode), AudioConnectionPoint(node: sink)], fromBus: 0)
        try engine.start()
        let heard = try engine.render(3000, block: 500)
        #expect(heard[1] == (0..<3000).map { Float($0 + 1) / 65_536 })
        #expect(total.frameCount.load(ordering: .relaxed) == 3000 && total.silentCount.load(ordering: .relaxed) == 0)
        #expect(Float(bitPattern: total.peak.load(ordering: .relaxed)) == Float(3000) / 65_536)
        engine.disconnectNodeInput(sink)
        _ = try engine.render(4000)
        // It has faded out, and is not rendered any more.
        let count = total.frameCount.load(ordering: .relaxed)
        _ = try engine.render(1000)
        #expect(count < 8000 && total.frameCount.load(ordering: .relaxed) == count)
    }

    /// Nothing leads to the output: a sink is an end of its own.
    @Test func aSinkIsFedWithoutAnOutput() throws {
        let engine = try AudioEngine.offline()
        let kept = Mutex<[Float]>([])
        let player = AudioPlayerNode()
        let sink = AudioSinkNode { isSilence, _, input in
            kept.withLock { $0 += UnsafeBufferPointer(start: input[0], count: input.frameCount) }
        }
        engine.attach(player)
        engine.attach(sink)
        try engine.connect(player, to: sink)
        player.scheduleBuffer(try Sounds.ramp(1500))
        player.play()
        try engine.start()
        let heard = try engine.render(2000, block: 100)
        #expect(heard[0].allSatisfy { $0 == 0 })
        let samples = kept.withLock { $0 }
        #expect(samples.count == 2000 && samples[1499] == 1500 / 65_536 && samples[1500] == 0)
        engine.stop()
    }
}
