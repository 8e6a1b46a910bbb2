// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Clicks in one channel: steps far beyond those of the surrounding sound. Main thread.

import AudioFormats

/// Finds samples with a jump or bend unlike any other within 11 ms before and after.
///
/// A discontinuity stands out in the second difference. So does the start of a sound; but its steps are not larger than those
/// that follow. So both the step and the bend must far exceed the surrounding ones.
struct ClickFinder {
    /// The most clicks that are kept; all are counted.
    static let keptCount = 100
    private static let bendRatio: Float = 6
    private static let stepRatio: Float = 1.5
    /// The smallest reported step: −50 dBFS.
    private static let smallestStep: Float = 0.003
    /// The milliseconds before and after; those next to a click belong to it.
    private static let (reach, guardCount) = (11, 1)

    /// A jump to a frame.
    struct Click {
        let frame: Int
        let size: Float
    }

    /// The first clicks.
    private(set) var clicks: [Click] = []
    private(set) var count = 0

    /// The values of a millisecond.
    private struct Hop {
        var bend: Float = 0
        var step: Float = 0
        /// The largest step at the largest bend, and its frame.
        var jump: Float = 0
        var frame = 0
    }

    private let hopFrameCount: Int
    private var hops: [Hop] = []
    private var hop = Hop()
    private var frame = 0
    private var before: (Float, Float)?
    private var formerStep: Float = 0

    init(sampleRate: Double) { hopFrameCount = max(8, Int(nearestFrame: (sampleRate / 1000).rounded(.down))) }

    /// Takes samples, all of them finite.
    mutating func take(_ samples: UnsafeBufferPointer<Float>) {
        for sample in samples { take(sample) }
    }

    private mutating func take(_ sample: Float) {
        let (last, lastButOne) = before ?? (sample, sample)
        let step = abs(sample - last)
        let bend = abs(sample - 2 * last + lastButOne)
        if bend > hop.bend {
            hop.bend = bend
            (hop.jump, hop.frame) = step >= formerStep ? (step, frame) : (formerStep, frame - 1)
        }
        if step > hop.step { hop.step = step }
        before = (sample, last)
        formerStep = step
        frame += 1
        if frame % hopFrameCount == 0 { endHop() }
    }

    private mutating func endHop() {
        hops.append(hop)
        hop = Hop()
        if hops.count > 2 * Self.reach + 1 { hops.removeFirst() }
        if hops.count > Self.reach { examine(hops.count - 1 - Self.reach) }
    }

    /// Examines the end of the sound.
    mutating func finish() {
        if frame % hopFrameCount != 0 { hops.append(hop) }
        let unseen = frame % hopFrameCount != 0 ? Self.reach : Self.reach - 1
        for index in max(0, hops.count - 1 - unseen)..<max(0, hops.count) { examine(index) }
        hops = []
    }

    private mutating func examine(_ index: Int) {
        let centre = hops[index]
        guard centre.jump >= Self.smallestStep else { return }
        var (bend, step, hasOthers) = (Float(0), Float(0), false)
        for (other, hop) in hops.enumerated() where abs(other - index) <= Self.reach {
            if abs(other - index) > Self.guardCount {
                (bend, step, hasOthers) = (max(bend, hop.bend), max(step, hop.step), true)
            } else if other < index ? hop.bend >= centre.bend : other > index && hop.bend > centre.bend {
                return
            }
        }
        guard hasOthers, centre.bend > Self.bendRatio * bend, centre.jump > Self.stepRatio * step else { return }
        count += 1
        if clicks.count < Self.keptCount { clicks.append(Click(frame: centre.frame, size: centre.jump)) }
    }
}
