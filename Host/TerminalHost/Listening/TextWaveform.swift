// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The waveform of a sound on a terminal. Main thread.

import Console
import Listening

/// A waveform in braille, or in ASCII where the locale has no UTF-8; it has no colours.
enum TextWaveform {
    private static let picture = WaveformPicture(width: min(120, Terminal.width), height: 8)

    /// The columns that a sound's waveform needs.
    static var columnCount: Int { picture.columnCount }

    /// The lines for a sound whose waveform has so many columns.
    static func lines(_ sound: HeardSound) -> [StyledText] {
        let (frameCount, rate) = (sound.facts.frames, sound.facts.sampleRate)
        return picture.lines(WaveformSummary(sound.waveform.joined), frameCount: frameCount, sampleRate: rate).map {
            StyledText($0)
        }
    }
}
