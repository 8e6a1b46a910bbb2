// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Says in a sentence whether the file of a replay holds the rendered bits. Main thread.

import AudioFiles
import AudioFormats

/// The file of a replay.
struct ReplayedFile {
    private let name: String
    private let encoding: SampleEncoding?
    /// The file's own rate in hertz; nil if it has the rate of the performance.
    private let sampleRate: Double?

    init(_ path: String, _ writer: AudioFileWriter, of sampleRate: Double) {
        name = path == "-" ? "Standard output" : "\"\(path)\""
        encoding = writer.encoding
        self.sampleRate = writer.sampleRate == sampleRate ? nil : writer.sampleRate
    }

    /// The result of a replay whose bits are those of the performance.
    func sentence(frameCount: Int64) -> String {
        guard let loss else { return "\(name) has the bits that were heard, in all \(frameCount) frames." }
        return "All \(frameCount) frames were rendered with the bits that were heard. \(name) holds them \(loss)."
    }

    /// A reason why the file's bits differ from the rendered ones; nil if they are the same.
    private var loss: String? {
        let rate = sampleRate.map { " at \(Int(nearestFrame: $0)) Hz" } ?? ""
        guard let encoding else { return "compressed, with loss\(rate)" }
        if let bits = encoding.integerBitCount { return "rounded to \(bits) bits and limited to full scale\(rate)" }
        return rate.isEmpty ? nil : "converted, \(rate.dropFirst())"
    }
}
