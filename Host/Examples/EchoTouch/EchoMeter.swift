// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Compares the echo of the far end without and with the voice processor. Any thread.

import AudioGraph
import Glibc
import Synchronization

/// The levels of the microphone and of the far end in two periods: the processor is off in the first one.
final class EchoMeter: Sendable {
    /// Seconds from the start, in which the person at the microphone must be silent.
    static let (without, with) = (0.5..<2.0, 4.0..<6.0)

    private let farEnd: AudioPCMBuffer
    private let energies = Mutex((without: 0.0, with: 0.0))

    /// Makes a meter; the far end is a loop that begins with the first frame.
    init(farEnd: AudioPCMBuffer) { self.farEnd = farEnd }

    /// Measures a buffer of a tap.
    func take(_ buffer: AudioPCMBuffer, at time: AudioTime) {
        guard let start = time.sampleTime else { return }
        energies.withLock { energies in
            for frame in 0..<buffer.frameLength {
                let second = Double(Int(start) + frame) / buffer.format.sampleRate
                let sample = Double(buffer.samples[0][frame])
                if Self.without.contains(second) { energies.without += sample * sample }
                if Self.with.contains(second) { energies.with += sample * sample }
            }
        }
    }

    /// The reduction of the echo by the processor in decibels, relative to the loudspeaker's level in each period.
    var decibels: Double {
        let energies = energies.withLock { $0 }
        let (first, second) = (farEndEnergy(Self.without), farEndEnergy(Self.with))
        guard energies.without > 0, first > 0, second > 0 else { return 0 }
        return 10 * log10(energies.without / first / max(1e-12, energies.with / second))
    }

    private func farEndEnergy(_ seconds: Range<Double>) -> Double {
        let rate = farEnd.format.sampleRate
        return (Int(seconds.lowerBound * rate)..<Int(seconds.upperBound * rate)).reduce(0) { sum, frame in
            let sample = Double(farEnd.samples[0][frame % farEnd.frameLength])
            return sum + sample * sample
        }
    }
}
