// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A waveform as lines of text for the terminal. Control thread.

import Cells
import Realtime

/// Draws planar audio over a time axis in milliseconds, with marks under it.
///
/// Between each column's extremes the picture is half-tone; within its RMS level it is solid.
package struct WaveformPicture: Sendable {
    /// An event at a frame, such as a signal: `^ SIGKILL`.
    package struct Marker: Sendable {
        package var frame: Int
        package var label: String

        package init(frame: Int, label: String) {
            self.frame = frame
            self.label = label
        }
    }

    /// The width of a line in characters.
    package var width: Int
    /// The lines of the waveform; the axis takes two more, and the markers at least one.
    package var height: Int
    package var alphabet: TextAlphabet
    /// The magnitude at the edges; nil means the audio's own peak.
    package var fullScale: Float?
    package var markers: [Marker]

    package init(
        width: Int = 80, height: Int = 8, alphabet: TextAlphabet = .forLocale(), fullScale: Float? = nil,
        markers: [Marker] = []
    ) {
        self.width = min(max(width, 8), 1000)
        self.height = min(max(height, 1), 200)
        self.alphabet = alphabet
        self.fullScale = fullScale
        self.markers = markers
    }

    /// `[control]` The lines from top to bottom: the waveform, the axis, and the markers; each has at most `width` characters.
    package func lines(_ audio: AudioBlock, sampleRate: Double) -> [String] {
        let frames = audio.frameCount
        return waveform(audio) + axis(frames, sampleRate) + MarkerRows(width: width).lines(columns(frames))
    }

    /// `[control]` The same for a summary of `columnCount` columns.
    package func lines(_ summary: WaveformSummary, frameCount: Int, sampleRate: Double) -> [String] {
        waveform(summary) + axis(frameCount, sampleRate) + MarkerRows(width: width).lines(columns(frameCount))
    }

    /// The columns of a summary.
    package var columnCount: Int { alphabet == .braille ? 2 * width : width }

    private func waveform(_ audio: AudioBlock) -> [String] { waveform(WaveformSummary(audio, columnCount: columnCount)) }

    private func waveform(_ summary: WaveformSummary) -> [String] {
        switch alphabet {
        case .braille: BraillePlot(summary, height: height, scale: summary.scale(fullScale)).lines
        case .ascii: ASCIICanvas(summary, height: height, scale: summary.scale(fullScale)).lines
        }
    }

    private func axis(_ frameCount: Int, _ sampleRate: Double) -> [String] {
        let ticks = TimeAxis(frameCount: frameCount, sampleRate: sampleRate, limit: max(1, width / 12)).ticks
        let (line, tick): (Character, Character) = alphabet == .braille ? ("─", "┬") : ("-", "+")
        var rule = [Character](repeating: line, count: width)
        var labels = TextRow(width: width)
        for (index, entry) in ticks.enumerated() {
            // Cannot trap: a position is from 0 to 1.
            let column = min(width - 1, Int(entry.position * Double(width)))
            rule[column] = tick
            labels.place(entry.label + (index == 0 ? " ms" : ""), at: column)
        }
        return [String(rule), labels.text]
    }

    private func columns(_ frameCount: Int) -> [(column: Int, label: String)] {
        markers.filter { (0...max(0, frameCount)).contains($0.frame) }.sorted { $0.frame < $1.frame }.map {
            // Cannot trap: the frame is in the sound.
            (min(width - 1, Int(Double($0.frame) * Double(width) / Double(max(1, frameCount)))), $0.label)
        }
    }
}
