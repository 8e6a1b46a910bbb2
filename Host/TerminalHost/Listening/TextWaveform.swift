// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The waveform of a sound on a terminal. Main thread.

import Console
import Listening

/// A waveform without colours: in braille, or in ASCII if the locale has no UTF-8.
enum TextWaveform {
    private static let picture = WaveformPicture(width: min(120, Terminal.width), height: 8)

    /// The number of columns that a sound's waveform needs.
    static var columnCount: Int { picture.columnCount }

    /// The lines for a sound whose waveform has that number of columns.
    static func lines(_ sound: HeardSound) -> [StyledText] {
        let (frameCount, rate) = (sound.facts.frames, sound.facts.sampleRate)
        return picture.lines(WaveformSummary(sound.waveform.joined), frameCount: frameCount, sampleRate: rate).map {
            StyledText($0)
        }
    }
}
