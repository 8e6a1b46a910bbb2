// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The song as nodes hear of it: tempo, place, loop, start and stop, to the frame. Test thread.

import HostingTestSupport
import Rendering
import TestSupport
import Testing

@testable import AudioGraph

/// Notes what each call hears of the song.
private final class Listener: RenderNode {
    struct Call {
        var sampleTime: Int64
        var frameCount: Int
        var transport: Transport
    }

    final class Calls {
        var calls: [Call] = []
    }

    // SAFETY: the thread that renders by hand is the test's.
    nonisolated(unsafe) let heard = Calls()
    var renderContext: UnsafeMutableRawPointer { Unmanaged.passUnretained(heard).toOpaque() }
    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            let argument = call.assumingMemoryBound(to: NodeCall.self).pointee
            argument.output.silence()
            Unmanaged<Calls>.fromOpaque(context).takeUnretainedValue().calls.append(
                Call(
                    sampleTime: argument.cycle.pointee.sampleTime, frameCount: argument.output.frameCount,
                    transport: argument.cycle.pointee.transport))
        }
    }
}

private final class ListenerNode: AudioNode, @unchecked Sendable {
    // SAFETY: as for AudioNode; the listener is a constant.
    let listener = Listener()

    init() { super.init(name: "Listener", body: SteadyBody(listener)) }
}

@Suite struct TransportTests {
    private let engine: AudioEngine
    private let node = ListenerNode()

    init() throws {
        engine = try AudioEngine.offline()
        engine.attach(node)
        try engine.connect(node, to: engine.mainMixerNode)
        try engine.start()
    }

    private var calls: [Listener.Call] { node.listener.heard.calls }

    /// The beat at each frame, as a unit that goes on from the beginning of its block reckons it.
    private var beats: [Double] {
        calls.flatMap { call in
            (0..<call.frameCount).map { frame in
                let speed = call.transport.isPlaying ? call.transport.tempo / 60 / Sounds.rate : 0
                return call.transport.beatPosition + Double(frame) * speed
            }
        }
    }

    @Test func theSongOfTheDriverIsHeardUntilTheProgramHasOne() throws {
        _ = try engine.render(48_000)
        #expect(calls.allSatisfy { $0.transport.isPlaying && $0.transport.tempo == 120 })
        #expect(abs(beats[47_999] - 2 * 47_999 / 48_000) < 1e-9)
        engine.transport.stop()
        _ = try engine.render(512)
        #expect(calls.last?.transport.isPlaying == false && engine.transport.beatPosition == 0)
    }

    @Test(arguments: (Sample.isWhole ? [1] : []) + [31, 512, 4096]) func tempoChangesFallOnTheirFrame(block: Int) throws {
        let map = try #require(
            TempoMap(
                tempos: [
                    .init(beat: 2, beatsPerMinute: 60), .init(beat: 0, beatsPerMinute: 120), .init(beat: 2.5, beatsPerMinute: 137),
                ],
                signatures: [.init(beat: 2.25, numerator: 7, denominator: 8)]))
        engine.transport.tempoMap = map
        engine.transport.play()
        _ = try engine.render(100_000, block: block)
        // Beat 2 is at 1 s, beat 2.25 at 1.25 s, beat 2.5 at 1.5 s.
        for call in calls {
            let tempo = call.sampleTime < 48_000 ? 120.0 : call.sampleTime < 72_000 ? 60 : 137
            #expect(abs(call.transport.tempo - tempo) < 1e-9)
            #expect(call.transport.timeSignatureNumerator == (call.sampleTime < 60_000 ? 4 : 7))
        }
        #expect(calls.contains { $0.sampleTime == 48_000 } && calls.contains { $0.sampleTime == 60_000 })
        for (frame, beat) in beats.enumerated() { #expect(abs(beat - map.beat(atSeconds: Double(frame) / 48_000)) < 1e-9) }
    }

    @Test(arguments: [64, 777, 4096]) func aLoopWrapsOnItsFrameAndDoesNotDrift(block: Int) throws {
        engine.transport.tempo = 137
        engine.transport.loopRange = 1..<2.3
        engine.transport.play()
        _ = try engine.render(480_000, block: block)
        for (frame, beat) in beats.enumerated() {
            let straight = Double(frame) * 137 / 60 / 48_000
            let wanted = straight < 2.3 ? straight : 1 + (straight - 1).truncatingRemainder(dividingBy: 1.3)
            // At the seam itself rounding decides.
            let isSeam = min(abs(wanted - 1), abs(wanted - 2.3)) < 1e-6
            #expect(isSeam || abs(beat - wanted) < 1e-6, "frame \(frame)")
        }
    }

    @Test func theSongStopsStartsAndMoves() throws {
        let transport = engine.transport
        transport.play()
        _ = try engine.render(24_000)
        #expect(transport.isPlaying)
        transport.stop()
        _ = try engine.render(1000)
        #expect(abs(transport.beatPosition - 1) < 1e-9)
        transport.beatPosition = 17
        #expect(transport.beatPosition == 17 && transport.seconds == 8.5)
        transport.tempo = 60
        _ = try engine.render(512)
        #expect(transport.beatPosition == 17 && calls.last?.transport.tempo == 60)
        transport.play()
        _ = try engine.render(48_000)
        #expect(abs((beats.last ?? 0) - 18) < 1e-4)
        // A loop behind which the song is already is not entered.
        transport.loopRange = 3..<4
        _ = try engine.render(48_000)
        #expect(abs((beats.last ?? 0) - 19) < 1e-4)
        transport.loopRange = 5..<5
        #expect(transport.loopRange == nil)
        transport.beatPosition = .nan
        _ = try engine.render(512)
        #expect(transport.beatPosition > 18)
    }

    @Test func impossibleMapsAreRefused() {
        #expect(TempoMap(tempos: [.init(beat: .nan, beatsPerMinute: 120)]) == nil)
        #expect(TempoMap(tempos: [.init(beat: 0, beatsPerMinute: 0)]) == nil)
        #expect(TempoMap(tempos: [], signatures: [.init(beat: 0, numerator: 0, denominator: 4)]) == nil)
        #expect(TempoMap(beatsPerMinute: .infinity).beatsPerMinute(atBeat: 0) == 1000)
        #expect(TempoMap(beatsPerMinute: .nan).beatsPerMinute(atBeat: 0) == 120)
        let map = TempoMap(beatsPerMinute: 90)
        #expect(map.seconds(atBeat: 3) == 2 && map.beat(atSeconds: 2) == 3 && map.seconds(atBeat: -3) == -2)
    }
}
