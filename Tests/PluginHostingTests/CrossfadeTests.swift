// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's leaving and return are audible without a step larger than the larger signal's own largest one plus −60 dBFS.

import Realtime
import Testing

@testable import PluginHosting

@Suite struct CrossfadeTests {
    /// −60 dBFS.
    private static let bound: Float = 0.001
    private static let channelCount = 2

    /// A signal with a known largest step of its own.
    private enum Signal: CaseIterable {
        case silence, low, high, sine, inverted, noise

        func sample(_ frame: Int, _ random: inout SeededRandom) -> Float {
            switch self {
            case .silence: 0
            case .low: -1
            case .high: 1
            case .sine: Float(Maths.sin(2 * .pi * 220 * Double(frame) / 48_000))
            case .inverted: Float(-0.9 * Maths.sin(2 * .pi * 220 * Double(frame) / 48_000))
            case .noise: .random(in: -1...1, using: &random)
            }
        }
    }

    /// A unit between two signals, and the output.
    private struct Listener: ~Copyable {
        var crossfade: Crossfade
        let output = AudioBuffer(channelCount: channelCount, frameCapacity: 512)
        let dry = AudioBuffer(channelCount: channelCount, frameCapacity: 512)
        let signals: (wet: Signal, dry: Signal)
        var random: SeededRandom
        var frame = 0
        var heard = [[Float]](repeating: [], count: channelCount)
        /// The largest step within either signal.
        var ownStep: Float = 0
        private var last = [Float](repeating: 0, count: 2)

        init(_ wet: Signal, _ dry: Signal, seed: UInt64) {
            signals = (wet, dry)
            random = SeededRandom(seed: seed)
            crossfade = Crossfade(channelCount: channelCount, sampleRate: 48_000, maximumFrameCount: 512)
        }

        mutating func hear(_ frameCount: Int, standIn: StandIn?) {
            let (block, dryBlock) = (output.block(frameCount: frameCount), dry.block(frameCount: frameCount))
            for index in 0..<frameCount {
                for (signal, samples) in [(signals.wet, block), (signals.dry, dryBlock)].enumerated() {
                    let value = samples.0.sample(frame + index, &random)
                    if frame + index > 0 { ownStep = max(ownStep, abs(value - last[signal])) }
                    last[signal] = value
                    for channel in 0..<channelCount { samples.1[channel][index] = value }
                }
            }
            if let standIn {
                crossfade.unitMissing(block, dry: dryBlock, standIn: standIn)
            } else {
                crossfade.unitRendered(block, dry: dryBlock)
            }
            for channel in 0..<channelCount { heard[channel] += UnsafeBufferPointer(start: block[channel], count: frameCount) }
            frame += frameCount
        }
    }

    @Test(arguments: [StandIn.dry, .lastBlock, .silence])
    func noTransitionMakesALargerStepThanTheSignalsAndSixtyDecibelsBelowFullScale(standIn: StandIn) {
        let seed = Seed.chosen
        for wet in Signal.allCases {
            for dry in Signal.allCases {
                var listener = Listener(wet, dry, seed: seed)
                var choice = SeededRandom(seed: seed &+ 1)
                listener.hear(512, standIn: nil)
                // The unit comes and goes in blocks of any size, often before a fade is over.
                for _ in 0..<12 {
                    let isAway = Bool.random(using: &choice)
                    for _ in 0..<Int.random(in: 1...6, using: &choice) {
                        listener.hear(.random(in: 1...512, using: &choice), standIn: isAway ? standIn : nil)
                    }
                }
                for samples in listener.heard {
                    let step = largestStep(samples)
                    #expect(step <= listener.ownStep + Self.bound, "\(wet) with \(dry), seed \(seed)")
                }
            }
        }
    }

    @Test func theUnitIsHeardAloneInTheEndAndWhatStandsInLikewise() {
        var listener = Listener(.high, .low, seed: 1)
        listener.hear(512, standIn: nil)
        for _ in 0..<10 { listener.hear(512, standIn: .dry) }
        #expect(listener.heard[0].suffix(512).allSatisfy { $0 == -1 })
        for _ in 0..<10 { listener.hear(512, standIn: nil) }
        #expect(listener.heard[0].suffix(512).allSatisfy { $0 == 1 } && !listener.crossfade.isActive)
    }

    @Test func theLastBlockIsHeardBackwardsAndFadesAway() {
        var listener = Listener(.sine, .silence, seed: 1)
        listener.hear(512, standIn: nil)
        listener.hear(512, standIn: .lastBlock)
        let (block, echo) = (listener.heard[0].prefix(512), listener.heard[0].suffix(512))
        for (frame, (kept, heard)) in zip(block.reversed(), echo).enumerated() {
            let gain = 1 - Float(frame + 1) / 2400
            #expect(abs(heard - kept * gain) < 1e-4, "frame \(frame)")
        }
        for _ in 0..<10 { listener.hear(512, standIn: .lastBlock) }
        #expect(listener.heard[0].suffix(512).allSatisfy { $0 == 0 })
    }

    @Test func silenceIsReachedWhateverWasHeard() {
        var listener = Listener(.high, .high, seed: 1)
        listener.hear(512, standIn: nil)
        for _ in 0..<10 { listener.hear(512, standIn: .silence) }
        #expect(listener.heard[0].suffix(512).allSatisfy { $0 == 0 })
    }
}
