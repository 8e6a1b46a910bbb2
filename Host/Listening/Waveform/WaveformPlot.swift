// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The waveform of each channel: peaks pale, levels dark, clicks and silences marked. Main thread.

import Drawing

struct WaveformPlot {
    private let sound: HeardSound

    init(_ sound: HeardSound) { self.sound = sound }

    func draw(on canvas: Canvas, _ box: Box) {
        let all = PlotFrame(canvas: canvas, box: box)
        all.title("Waveform")
        all.legend("peak", Colour(0x56B4E9), index: 1)
        all.legend("RMS", Colour(0x0072B2), index: 0)
        all.horizontal(PlotFrame.time(sound.facts), "Time (s)")
        let height = box.height / Double(sound.waveform.channels.count)
        for (index, columns) in sound.waveform.channels.enumerated() {
            let part = Box(x: box.x, y: box.y + Double(index) * height, width: box.width, height: height)
            let frame = PlotFrame(canvas: canvas, box: part)
            draw(columns, frame)
            mark(sound.facts.channels[index].name, frame)
            frame.outline()
        }
    }

    private func draw(_ columns: [WaveformColumn], _ frame: PlotFrame) {
        let axis = PlotAxis(low: -1, high: 1, isLogarithmic: false)
        frame.canvas.stroke([Point(frame.box.x, frame.y(0, axis)), Point(frame.box.right, frame.y(0, axis))], .pale)
        let width = frame.box.width / Double(max(1, columns.count))
        for (index, column) in columns.enumerated() where column.sampleCount > 0 {
            let x = frame.box.x + Double(index) * width
            bar(x, width, Double(column.least), Double(column.greatest), Colour(0x56B4E9), axis, frame)
            bar(x, width, Double(-column.level), Double(column.level), Colour(0x0072B2), axis, frame)
        }
    }

    /// Draws a bar that is at least one point high, so that silence is a line.
    private func bar(
        _ x: Double, _ width: Double, _ low: Double, _ high: Double, _ colour: Colour, _ axis: PlotAxis, _ frame: PlotFrame
    ) {
        let (top, bottom) = (frame.y(high, axis), frame.y(low, axis))
        frame.canvas.fill(Box(x: x, y: min(top, bottom - 1), width: width, height: max(1, bottom - top)), colour)
    }

    /// Draws the channel's name, and marks its clicks and silences.
    private func mark(_ name: String, _ frame: PlotFrame) {
        let (facts, box) = (sound.facts, frame.box)
        let scale = box.width / max(1e-6, facts.seconds)
        for gap in facts.silences {
            let area = Box(x: box.x + gap.seconds * scale, y: box.y, width: max(1, gap.lengthSeconds * scale), height: box.height)
            frame.canvas.fill(area, Colour(0xE69F00).faded(to: 0.35))
        }
        for click in facts.clicks where click.channel == name {
            let x = box.x + click.seconds * scale
            frame.canvas.stroke([Point(x, box.y), Point(x, box.y + 12)], Colour(0xD55E00), width: 1.5)
        }
        frame.canvas.text(name, at: Point(box.x - 8, box.y + box.height / 2 + 4), size: 11, .ink, .end)
    }
}
