// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The numbers of a sound as lines of text. Any thread.

import AudioFormats
import Console

extension SoundFacts {
    /// The most silences and clicks in the text; `--json` has more.
    private static let namedCount = 5
    private static let tooShort = "too short: a loudness takes 0.4 s"

    /// The lines for people; `encoding` is the storage format of the samples.
    package func lines(encoding: String?) -> [StyledText] {
        var lines: [StyledText] = [
            "Length      \(Self.time(seconds)) (\(frames) frames)",
            "Format      \(Decimal.shortest(sampleRate)) Hz, \(channelText)\(encoding.map { ", \($0)" } ?? "")",
            "Loudness    \(isTooShortForLoudness ? Self.tooShort : "\(Self.level(integratedLUFS, "LUFS")) integrated, \(rangeText)")",
            "Loudest     \(isTooShortForLoudness ? Self.tooShort : Self.level(momentaryMaximumLUFS, "LUFS") + " momentary\(shortTermText)")",
            "Silences    \(silenceText)", "Clicks      \(clickText)",
        ]
        lines += [
            alarm("Clipped", whole.clippedSamples, "sample"),
            alarm("Invalid", whole.invalidSamples, "sample of NaN or infinity", "samples of NaN or infinity"),
        ]
        return lines + [""] + table
    }

    private var channelText: String {
        let count = channels.count == 1 ? "1 channel" : "\(channels.count) channels"
        return "\(count)\(isLayoutKnown ? " (\(channels.map(\.name).joined(separator: " ")))" : "")"
    }

    private var rangeText: String { loudnessRangeLU.map { "range \($0.digits(1)) LU" } ?? "too short for a range" }

    private var shortTermText: String { seconds < 3 ? "" : ", \(Self.level(shortTermMaximumLUFS, "LUFS")) short-term" }

    private var silenceText: StyledText {
        let names = silences.prefix(Self.namedCount).map {
            "\(Self.time($0.seconds)) for \(($0.lengthSeconds * 1000).digits(1)) ms"
        }
        return Self.list(silenceCount, names)
    }

    private var clickText: StyledText {
        let names = clicks.prefix(Self.namedCount).map { click in
            "\(Self.time(click.seconds))\(channels.count > 1 ? " \(click.channel)" : "")"
        }
        return Self.list(clickCount, names)
    }

    private static func list(_ count: Int, _ names: [String]) -> StyledText {
        guard count > 0 else { return "none" }
        return StyledText.alarming("\(count)") + ": \(names.joined(separator: ", "))\(count > names.count ? ", …" : "")"
    }

    private func alarm(_ title: String, _ count: Int, _ noun: String, _ plural: String? = nil) -> StyledText {
        let start = StyledText(title.padded(to: 12))
        guard count > 0 else { return start + "none" }
        return start + StyledText.alarming("\(count)") + " \(count == 1 ? noun : plural ?? noun + "s")"
    }

    private var table: [StyledText] {
        let rows = channels + (channels.count > 1 ? [whole] : [])
        let texts = rows.map { row in
            [
                row.name, Self.level(row.peakDBFS), Self.level(row.truePeakDBTP), Self.level(row.rmsDBFS),
                row.crestDB.map { $0.digits(1) } ?? "-", row.dcOffset.digits(5), "\(row.clippedSamples)",
            ]
        }
        return Table(headings: ["Channel", "Peak dBFS", "True peak dBTP", "RMS dBFS", "Crest dB", "DC offset", "Clipped"]).lines(
            texts)
    }

    private static func level(_ value: Double?, _ unit: String? = nil) -> String {
        "\(value.map { $0.digits(1) } ?? "-inf")\(unit.map { " \($0)" } ?? "")"
    }

    /// A time in minutes and seconds, with milliseconds.
    private static func time(_ seconds: Double) -> String {
        let milliseconds = Int(nearestFrame: seconds * 1000)
        let (minutes, rest) = (milliseconds / 60_000, milliseconds % 60_000)
        guard minutes > 0 else { return "\((Double(rest) / 1000).digits(3)) s" }
        let text = (Double(rest) / 1000).digits(3)
        return "\(minutes):\(rest < 10_000 ? "0" : "")\(text)"
    }
}
