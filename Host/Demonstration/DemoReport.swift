// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The report on a demonstration, with a picture. Main thread.

import AudioFiles
import Console
import Listening
import PluginHosting
import Realtime

/// The report on a finished demonstration.
package struct DemoReport {
    private let facts: DemoFacts
    private let heard: LoadedAudio
    private let file: String

    /// The seconds before and after the kill in the picture.
    private static let before = 0.1
    private static let after = 0.3

    /// Makes a report of a run; `heard` is the recording in `file`.
    package init(_ facts: DemoFacts, heard: LoadedAudio, file: String) {
        (self.facts, self.heard, self.file) = (facts, heard, file)
    }

    /// The path of the picture beside a recording whose name ends in .wav.
    package static func picture(beside file: String) -> String { "\(file.dropLast(4)).svg" }

    private var missedDeadlines: String {
        guard let stalled = facts.stalledDeadlineCount, stalled > 0 else { return "\(facts.missedDeadlineCount) of ours" }
        return "\(facts.missedDeadlineCount - stalled) of ours, \(stalled) while the machine stalled"
    }

    /// Prints the report, and writes the picture.
    package func show() throws {
        let period = Double(facts.quantum) / facts.sampleRate * 1e6
        Terminal.print(
            """

            Quantum           \(facts.quantum) frames (\(Decimal.text(period / 1000, 2)) ms) at \(Int(facts.sampleRate)) Hz
            Cycles            \(facts.cycleCount); the longest took \(Decimal.text(Double(facts.longestCycleNanoseconds) / 1000, 0)) µs
            Missed deadlines  \(missedDeadlines), \(facts.xruns) of the graph's
            """)
        guard let fault = facts.death else { return Terminal.print("Nothing died: \(facts.victimName) could not be killed.") }
        show(fault)
        if let played = facts.played { try show(fault, played) }
        Terminal.print("Recording         \(file)")
    }

    private func show(_ fault: FaultRecord) {
        let cycle = Double(facts.quantum) / facts.sampleRate * 1000
        Terminal.print("Died              \(facts.victimName) \(fault.fault) in cycle \(fault.cycle)")
        Terminal.print("Heard meanwhile   the input of \(facts.victimName), cross-faded; the other effects played on")
        if let cycles = fault.recoveredAfterCycles {
            let restart = fault.restartMilliseconds.map { "; a new process was ready after \(Decimal.text($0, 1)) ms" } ?? ""
            Terminal.print("Back              after \(cycles) cycles (\(Decimal.text(Double(cycles) * cycle, 1)) ms)\(restart)")
        } else {
            Terminal.print("Back              not yet")
        }
    }

    private func show(_ fault: FaultRecord, _ played: AudioBlock) throws {
        let frame = Int(fault.sampleTime)
        let window = Int(0.02 * facts.sampleRate)
        let near = LargestStep.of(played, from: frame - window, to: frame + window)
        let elsewhere = max(
            LargestStep.of(played, from: 0, to: frame - window),
            LargestStep.of(played, from: frame + window, to: played.frameCount))
        Terminal.print(
            "Largest step      \(Decimal.text(Double(near), 4)) between neighbouring samples around the death,"
                + " \(Decimal.text(Double(elsewhere), 4)) elsewhere")
        guard let recording = Recording(heard, of: played) else {
            return Terminal.print("Heard             nothing: the recording is silent")
        }
        let isExact = heard.sampleRate == facts.sampleRate
        Terminal.print("Heard             \(isExact ? recording.sentence : "at another rate than was played")")
        try draw(at: recording.offset + frame)
    }

    /// The waveform of the recording around a frame: in the terminal, and as an SVG file.
    private func draw(at frame: Int) throws {
        let start = max(0, frame - Int(Self.before * heard.sampleRate))
        let end = min(heard.frameCount, frame + Int(Self.after * heard.sampleRate))
        guard start < end else { return }
        let markers = [WaveformPicture.Marker(frame: frame - start, label: "SIGKILL")]
        let picture = Self.picture(beside: file)
        try heard.withBlock { block in
            let channels = (0..<block.channelCount).map { block[$0] + start }
            try channels.withUnsafeBufferPointer { pointers in
                guard let base = pointers.baseAddress else { return }
                let section = AudioBlock(channels: base, channelCount: channels.count, frameCount: end - start)
                Terminal.print("")
                WaveformPicture(width: min(100, Terminal.width), markers: markers)
                    .lines(section, sampleRate: heard.sampleRate).forEach { Terminal.print($0) }
                try SVGWaveform(title: "What was heard around the death", markers: markers)
                    .write(section, sampleRate: heard.sampleRate, to: picture)
            }
        }
        Terminal.print("\nPicture           \(picture)")
    }
}
