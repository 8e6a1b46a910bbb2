// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Audio that must not be heard: its defects, how they are found and mended. Render thread.

import Realtime

/// The defect of a block that a unit rendered.
public enum InvalidAudio: Hashable, Sendable {
    /// A sample is NaN.
    case notANumber
    /// A sample is infinite.
    case infinite
    /// A sample is above the ceiling.
    case tooLoud
    /// The unit itself reports that it could only put out NaN.
    case refused
}

/// Checks every block on its way out of a unit, into a row and out of a row.
struct AudioGuard {
    /// The result of a check.
    enum Verdict {
        case valid, notANumber, infinite, tooLoud
    }

    /// The bits of the largest magnitude that passes.
    private let ceilingBits: UInt32
    private let isOn: Bool

    /// Makes a guard with `ceiling` as the largest magnitude; with nil all audio passes.
    init(ceiling: Float?) {
        isOn = ceiling != nil
        ceilingBits = min(abs(ceiling ?? 0), .greatestFiniteMagnitude).bitPattern
    }

    /// Checks every sample.
    ///
    /// Magnitudes compare like their bits, with infinity above all numbers and NaN above infinity.
    @_noLocks
    func check(_ block: AudioBlock) -> Verdict {
        guard isOn, block.hasMagnitude(above: ceilingBits) else { return .valid }
        let bits = block.largestMagnitudeBits
        let infinity = Float.infinity.bitPattern
        return bits > infinity ? .notANumber : bits == infinity ? .infinite : .tooLoud
    }

    /// Silences NaN and infinity, and limits samples above the ceiling; false if there were none.
    ///
    /// It is the last check before the driver.
    @_noLocks
    func mend(_ block: AudioBlock) -> Bool {
        guard case .valid = check(block) else {
            let ceiling = Float(bitPattern: ceilingBits)
            for channel in 0..<block.channelCount {
                let samples = block[channel]
                for frame in 0..<block.frameCount {
                    let sample = samples[frame]
                    samples[frame] = sample.isFinite ? min(max(sample, -ceiling), ceiling) : 0
                }
            }
            return true
        }
        return false
    }
}
