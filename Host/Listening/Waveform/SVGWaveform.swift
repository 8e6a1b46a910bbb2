// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A waveform as a small SVG picture, for pages and reports. Control thread.

import AudioFiles
import Realtime

/// Draws the same as `WaveformPicture` in vectors; it follows the reader's light or dark preference.
package struct SVGWaveform: Sendable {
    /// The width in pixels, including axis and markers.
    package var width: Int
    package var height: Int
    package var title: String
    /// The magnitude at the edges; nil stands for the audio's own peak.
    package var fullScale: Float?
    package var markers: [WaveformPicture.Marker]

    package init(
        width: Int = 960, height: Int = 200, title: String = "", fullScale: Float? = nil,
        markers: [WaveformPicture.Marker] = []
    ) {
        self.width = min(max(width, 80), 8000)
        self.height = min(max(height, 60), 4000)
        self.title = title
        self.fullScale = fullScale
        self.markers = markers
    }

    /// `[control]` Writes the picture to `path`, completely or not at all.
    package func write(_ audio: AudioBlock, sampleRate: Double, to path: String) throws(AudioFileError) {
        try ReplacementFile.replace(path, with: text(audio, sampleRate: sampleRate))
    }

    /// `[control]` The picture as text.
    package func text(_ audio: AudioBlock, sampleRate: Double) -> String {
        let summary = WaveformSummary(audio, columnCount: width)
        let body = [
            outline(summary, "peak") { ($0.least, $0.greatest) }, outline(summary, "level") { (-$0.level, $0.level) },
            axis(audio.frameCount, sampleRate), marks(audio.frameCount),
        ]
        return ([opening] + body + ["</svg>", ""]).joined(separator: "\n")
    }

    private var waveHeight: Int { height - 20 }

    private var opening: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)">
        <title>\(Self.escaped(title))</title>
        <style>
        text { font: 11px sans-serif; fill: #444 } line { stroke: #999 } .peak { fill: #9bb8d8 } .level { fill: #2a6fb0 }
        .mark { stroke: #c22; stroke-dasharray: 4 3 } .label { fill: #c22; font-weight: bold }
        @media (prefers-color-scheme: dark) { text { fill: #bbb } .peak { fill: #36597c } .level { fill: #7db4e8 } }
        </style>
        """
    }

    private func outline(
        _ summary: WaveformSummary, _ name: String, _ range: (WaveformColumn) -> (Float, Float)
    ) -> String {
        let scale = summary.scale(fullScale)
        let middle = Double(waveHeight) / 2
        func point(_ x: Int, _ value: Float, _ thickness: Double) -> String {
            let y = middle - Double(min(1, max(-1, value / scale))) * (middle - 1) + thickness
            return "\(x),\(DecimalText.text(y, places: 1))"
        }
        let upper = summary.columns.enumerated().map { point($0, range($1).1, -0.4) }
        let lower = summary.columns.enumerated().reversed().map { point($0, range($1).0, 0.4) }
        return #"<polygon class="\#(name)" points="\#((upper + lower).joined(separator: " "))"/>"#
    }

    private func axis(_ frameCount: Int, _ sampleRate: Double) -> String {
        let ticks = TimeAxis(frameCount: frameCount, sampleRate: sampleRate, limit: max(1, width / 90)).ticks
        let rule = line("", 0, waveHeight, Double(width), waveHeight)
        let entries = ticks.enumerated().flatMap { index, tick in
            let x = tick.position * Double(width)
            let label = tick.label + (index == 0 ? " ms" : "")
            return [line("", x, waveHeight, x, waveHeight + 5), textElement("", x + 2, waveHeight + 15, "start", label)]
        }
        return ([rule] + entries).joined(separator: "\n")
    }

    /// Draws the marks; a label that would overlap moves down a row, and one near the right edge is left of its mark.
    private func marks(_ frameCount: Int) -> String {
        var rowEnds: [Double] = []
        return markers.filter { (0...max(0, frameCount)).contains($0.frame) }.sorted { $0.frame < $1.frame }.flatMap {
            let x = Double($0.frame) * Double(width) / Double(max(1, frameCount))
            let length = 7.5 * Double($0.label.count)
            let isNearEnd = x + length > Double(width)
            let start = isNearEnd ? x - 4 - length : x + 4
            let row = rowEnds.firstIndex { $0 < start } ?? rowEnds.count
            if row == rowEnds.count { rowEnds.append(0) }
            rowEnds[row] = start + length + 4
            let label = textElement("label", isNearEnd ? x - 4 : x + 4, 12 + 13 * row, isNearEnd ? "end" : "start", $0.label)
            return [line("mark", x, 0, x, waveHeight), label]
        }.joined(separator: "\n")
    }

    private func line(_ name: String, _ x1: Double, _ y1: Int, _ x2: Double, _ y2: Int) -> String {
        let (left, right) = (DecimalText.text(x1, places: 1), DecimalText.text(x2, places: 1))
        return #"<line\#(Self.attribute(name)) x1="\#(left)" y1="\#(y1)" x2="\#(right)" y2="\#(y2)"/>"#
    }

    private func textElement(_ name: String, _ x: Double, _ y: Int, _ anchor: String, _ text: String) -> String {
        let place = #"x="\#(DecimalText.text(x, places: 1))" y="\#(y)" text-anchor="\#(anchor)""#
        return #"<text\#(Self.attribute(name)) \#(place)>\#(Self.escaped(text))</text>"#
    }

    private static func attribute(_ name: String) -> String { name.isEmpty ? "" : #" class="\#(name)""# }

    /// Replaces XML's own characters by entities, and control characters, which XML forbids, by question marks.
    static func escaped(_ text: String) -> String {
        let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
        return text.reduce(into: "") { escaped, character in
            let isControl = character.unicodeScalars.contains { $0.value < 32 }
            escaped += entities[character] ?? (isControl ? "?" : String(character))
        }
    }
}
