// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A person's voice, from the recordings in Debian's alsa-utils. Test thread.

import AudioGraph
import TestSupport

/// A person who names the loudspeakers.
package enum RecordedVoice {
    private static let names = ["Front_Left", "Front_Right", "Rear_Left", "Rear_Right", "Front_Center", "Side_Left", "Side_Right"]

    /// The voice at 48 kHz, repeated.
    package static func samples(seconds: Double) throws -> [Float] {
        var said: [Float] = []
        for name in names {
            let path = "/usr/share/sounds/alsa/\(name).wav"
            guard let recording = try? AudioPCMBuffer(contentsOf: path), recording.format.sampleRate == 48_000 else {
                throw TestFailure("There is no recording \(path). Install alsa-utils.")
            }
            said += UnsafeBufferPointer(start: recording.samples[0], count: recording.frameLength)
        }
        let count = Int(seconds * 48_000)
        return (0..<count).map { said[$0 % said.count] }
    }
}
