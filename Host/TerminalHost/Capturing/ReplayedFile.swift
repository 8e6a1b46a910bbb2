// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the file of a replay holds of the bits that were rendered, as a sentence. Main thread.

import AudioFiles

/// A file that a replay was written into.
struct ReplayedFile {
    private let name: String
    private let encoding: SampleEncoding?
    /// The file's own rate in hertz; nil if it is that of the performance.
    private let sampleRate: Double?

    init(_ path: String, _ writer: AudioFileWriter, of sampleRate: Double) {
        name = path == "-" ? "Standard output" : "\"\(path)\""
        encoding = writer.encoding
        self.sampleRate = writer.sampleRate == sampleRate ? nil : writer.sampleRate
    }

    /// What a replay of the bits that were heard has come to.
    func sentence(frameCount: Int64) -> String {
        guard let loss else { return "\(name) has the bits that were heard, in all \(frameCount) frames." }
        return "All \(frameCount) frames were rendered with the bits that were heard. \(name) holds them \(loss)."
    }

    /// How the file holds other bits than were rendered; nil if it holds the same.
    private var loss: String? {
        let rate = sampleRate.map { " at \(Int($0)) Hz" } ?? ""
        guard let encoding else { return "compressed, with loss\(rate)" }
        if let bits = encoding.integerBitCount { return "rounded to \(bits) bits and limited to full scale\(rate)" }
        return rate.isEmpty ? nil : "converted, \(rate.dropFirst())"
    }
}
