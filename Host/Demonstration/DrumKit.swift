// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The drummer: slightly uneven strokes, in a room. Control thread.

import DSP
import Glibc

/// Places the pattern's strokes in time, and mixes the kit.
struct DrumKit {
    private let loop: DrumLoop
    private var hands: NoiseSource
    private var dry: StereoLoop

    init(_ loop: DrumLoop) {
        self.loop = loop
        hands = NoiseSource(seed: loop.seed)
        dry = StereoLoop(frameCount: loop.frameCount, sampleRate: loop.sampleRate)
    }

    /// Renders the whole kit with its room.
    func recorded() -> StereoLoop {
        var kit = self
        kit.playKick()
        kit.playSnare()
        kit.playHats()
        var room = DrumRoom(decay: 0.42, sampleRate: loop.sampleRate)
        var wet = kit.dry
        wet.mapSettled { room.process($0, $1) }
        kit.dry.add(wet, gain: 0.13)
        return kit.dry
    }

    private mutating func playKick() {
        for hit in DrumPattern.hits(DrumPattern.kick, bars: loop.bars) {
            dry.add(KickDrum(stroke(hit)).rendered(), at: time(of: hit, looseness: 0.0015), gain: 0.8)
        }
    }

    /// Plays the snare; backbeats come slightly late, as drummers play them.
    private mutating func playSnare() {
        for hit in DrumPattern.hits(DrumPattern.snare, bars: loop.bars) {
            let sound = SnareDrum(stroke(hit)).rendered()
            let lateness = hit.velocity > 0.6 ? 0.006 : 0
            dry.add(sound, at: time(of: hit, looseness: 0.004) + lateness, gain: 0.62, pan: -0.08)
        }
    }

    /// Plays the hats; an open hat rings until the next closed one, even over the end of the loop.
    private mutating func playHats() {
        let closed = DrumPattern.hits(DrumPattern.closedHat, bars: loop.bars)
        for hit in closed {
            strikeHat(hit, decay: 0.022 + 0.022 * hit.velocity, choke: nil)
        }
        for hit in DrumPattern.hits(DrumPattern.openHat, bars: loop.bars) {
            let start = DrumLoop.time(bar: hit.bar, step: Double(hit.step))
            let waits = closed.map { wrapped(DrumLoop.time(bar: $0.bar, step: Double($0.step)) - start) }
            strikeHat(hit, decay: 0.24, choke: waits.min())
        }
    }

    private mutating func strikeHat(_ hit: DrumPattern.Hit, decay: Double, choke: Double?) {
        let velocity = vary(hit.velocity)
        let seconds = decay * (1 + 0.08 * hands.sample())
        let stroke = DrumStroke(velocity: velocity, seed: hands.next(), sampleRate: loop.sampleRate)
        dry.add(
            HiHat(stroke, seconds: seconds, choke: choke ?? .infinity).rendered(), at: time(of: hit, looseness: 0.002), gain: 0.34,
            pan: 0.28)
    }

    private mutating func stroke(_ hit: DrumPattern.Hit) -> DrumStroke {
        DrumStroke(velocity: vary(hit.velocity), seed: hands.next(), sampleRate: loop.sampleRate)
    }

    private mutating func time(of hit: DrumPattern.Hit, looseness: Double) -> Double {
        DrumLoop.time(bar: hit.bar, step: Double(hit.step)) + looseness * hands.sample()
    }

    /// Varies a velocity, so that no two strokes are equal.
    private mutating func vary(_ velocity: Double) -> Double {
        min(1, max(0.05, velocity * (1 + 0.07 * hands.sample())))
    }

    private func wrapped(_ seconds: Double) -> Double {
        let length = Double(loop.frameCount) / loop.sampleRate
        return seconds > 0 ? seconds : seconds + length
    }
}

extension Drum {
    /// All samples of the drum.
    fileprivate func rendered() -> [Double] {
        var drum = self
        return (0..<frameCount).map { _ in drum.next() }
    }
}
