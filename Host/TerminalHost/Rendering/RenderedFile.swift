// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The file of a rendering, at another rate if the user wants one. Main thread.

import AudioFiles
import AudioFormats
import Console
import RateConversion
import Realtime

/// A file that is written at the rate of the user's choice.
final class RenderedFile {
    /// The wanted format of a file; nil keeps the format of the input, as far as the file's kind can.
    struct Wishes {
        var encoding: SampleEncoding?
        var sampleRate: Double?
    }

    let writer: AudioFileWriter
    /// The number of frames so far, at the rate of the rendering.
    private(set) var frameCount = 0
    private let renderedRate: Double
    private var stream: RateStream?
    /// Files for the channels that follow, such as those of further buses, each as long as this one.
    private var companions: [(firstChannel: Int, file: RenderedFile)] = []
    /// The number of channels of a block: those of the file, and those that follow.
    private(set) var channelCount: Int
    private let converted: AudioBuffer

    /// The number of frames that are converted at a time.
    private static let pieceFrameCount = 4096

    /// Starts a file for sound of `channelCount` channels at `sampleRate`; properties that `wishes` omit are those of `source`.
    init(
        path: String, sampleRate: Double, channelCount: Int, layout: ChannelLayout?, like source: AudioFileReader?, wishes: Wishes
    ) throws {
        let rate = wishes.sampleRate ?? AudioFileWriter.rate(nearest: sampleRate, path: path)
        if let encoding = wishes.encoding, !AudioFileWriter.holds(encoding, path: path) {
            throw CommandError.failed(
                "Couldn't render \"\(path)\": such a file holds no \(encoding.rawValue) samples; leave --format out.")
        }
        let kept = source?.encoding.flatMap { AudioFileWriter.holds($0, path: path) ? $0 : nil }
        var metadata = source?.metadata ?? AudioFileMetadata()
        // The file may hold any number.
        metadata.timeReference = metadata.timeReference.flatMap {
            rate == sampleRate ? $0 : UInt64(exactly: (Double($0) * rate / sampleRate).rounded())
        }
        writer = try AudioFileWriter(
            path: path, sampleRate: rate, channelCount: channelCount, encoding: wishes.encoding ?? kept, metadata: metadata,
            layout: layout)
        renderedRate = sampleRate
        self.channelCount = channelCount
        converted = AudioBuffer(channelCount: channelCount, frameCapacity: Self.pieceFrameCount)
        guard rate != sampleRate else { return }
        do throws(RateConversionError) {
            stream = try RateStream(channelCount: channelCount, from: sampleRate, to: rate, quality: .best)
        } catch {
            throw AudioFileError.resampling(path: path, fromHertz: sampleRate, toHertz: rate, reason: error.reason)
        }
    }

    /// Adds files for further channels; from now on blocks have `channelCount` channels.
    func add(_ companions: [(firstChannel: Int, file: RenderedFile)], channelCount: Int) {
        (self.companions, self.channelCount) = (companions, channelCount)
    }

    /// The writer of each file.
    var writers: [AudioFileWriter] { [writer] + companions.map(\.file.writer) }

    /// Writes frames of a block.
    func write(_ block: AudioBlock, from start: Int, to end: Int) throws {
        guard end > start else { return }
        for (first, file) in companions {
            let part = AudioBlock(
                channels: block.channels + first, channelCount: file.channelCount, frameCount: block.frameCount)
            try file.write(part, from: start, to: end)
        }
        frameCount += end - start
        guard stream != nil else { return try store(block, from: start, to: end) }
        try convert(block, from: start, to: end, atMost: .max)
    }

    /// Completes the file.
    func finish() throws {
        if stream != nil {
            // The last frames reach into the silence behind the end.
            let silence = AudioBuffer(channelCount: writer.channelCount, frameCapacity: Self.pieceFrameCount)
            let block = silence.block(frameCount: Self.pieceFrameCount)
            block.silence()
            let wanted = Int(nearestFrame: Double(frameCount) * writer.sampleRate / renderedRate)
            while writer.frameCount < wanted {
                try convert(block, from: 0, to: block.frameCount, atMost: wanted - writer.frameCount)
            }
            withExtendedLifetime(silence) {}
        }
        try writer.finish()
        for companion in companions { try companion.file.finish() }
    }

    private func convert(_ block: AudioBlock, from start: Int, to end: Int, atMost wanted: Int) throws {
        let output = converted.block(frameCount: Self.pieceFrameCount)
        var (taken, left) = (start, wanted)
        while left > 0 {
            let step = stream?.convert(
                block.channels, from: taken, end - taken, to: output.channels, from: 0, min(left, Self.pieceFrameCount))
            guard let step, step.taken > 0 || step.made > 0 else { return }
            taken += step.taken
            left -= step.made
            try store(output, from: 0, to: step.made)
        }
    }

    private func store(_ block: AudioBlock, from start: Int, to end: Int) throws {
        guard end > start else { return }
        let channels = (0..<writer.channelCount).map { block[$0] + start }
        try channels.withUnsafeBufferPointer { pointers in
            guard let base = pointers.baseAddress else { return }
            try writer.write(base, frameCount: end - start)
        }
    }
}
