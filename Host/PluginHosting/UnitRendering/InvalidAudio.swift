// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Audio that must not go on to anybody: what is wrong with it, and how it is found and mended. Render thread.

import Realtime

/// What is wrong with a block that a unit put out.
public enum InvalidAudio: Hashable, Sendable {
    case notANumber
    case infinite
    /// A sample above the ceiling.
    case tooLoud
    /// The unit itself says that it has nothing but what is no number.
    case refused
}

/// The check that every block passes on its way out of a unit and out of a chain.
struct AudioGuard {
    /// What it found.
    enum Verdict {
        case valid, notANumber, infinite, tooLoud
    }

    /// The bits of the largest magnitude that is let through.
    private let ceilingBits: UInt32
    private let isOn: Bool

    /// `ceiling` is a magnitude; nil lets everything pass.
    init(ceiling: Float?) {
        isOn = ceiling != nil
        ceilingBits = min(abs(ceiling ?? 0), .greatestFiniteMagnitude).bitPattern
    }

    /// Looks at every sample. Magnitudes are in the order of their bits, infinity above all numbers and NaN above that.
    @_noLocks
    func check(_ block: AudioBlock) -> Verdict {
        guard isOn, block.hasMagnitude(above: ceilingBits) else { return .valid }
        let bits = block.largestMagnitudeBits
        let infinity = Float.infinity.bitPattern
        return bits > infinity ? .notANumber : bits == infinity ? .infinite : .tooLoud
    }

    /// The last gate before the driver: silences what is no number, and limits what is too loud. False when there was
    /// nothing to do.
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
