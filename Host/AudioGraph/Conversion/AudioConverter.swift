// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Converts buffers from one format to another: rate, channels, sample format. One thread at a time.

import AudioFormats
import RateConversion
import Realtime
import Rendering

/// The answer of a program's input block to a converter.
public enum AudioConverterInputStatus: Int, Sendable {
    /// The block returns a buffer.
    case haveData
    /// The block has no frames now; more may come.
    case noDataNow
    /// The block will return no more frames.
    case endOfStream
}

/// The end of a conversion.
public enum AudioConverterOutputStatus: Int, Sendable {
    /// The output buffer is full.
    case haveData
    /// The input ran dry before the output buffer was full.
    case inputRanDry
    /// The converter has put out the last frame.
    case endOfStream
    /// The conversion is not possible.
    case error
}

/// Converts buffers from one format to another.
///
/// libsamplerate converts rates. Channels are converted as connections of a graph convert them. The first output frame stands for the first
/// input frame. The bits do not depend on the sizes of the buffers. One thread at a time uses a converter.
public final class AudioConverter {
    /// Sets the status, and returns the next buffer in the input format, if there is one, of about the given number of frames.
    public typealias InputBlock = (Int, UnsafeMutablePointer<AudioConverterInputStatus>) -> AudioPCMBuffer?

    /// The format of the input.
    public let inputFormat: AudioFormat
    /// The format of the output.
    public let outputFormat: AudioFormat
    /// The quality of the rate conversion; a change discards the input taken so far.
    @_disfavoredOverload public var sampleRateConverterQuality = RateQuality.best {
        didSet { if oldValue != sampleRateConverterQuality { reset() } }
    }
    /// True if rates are converted at the best quality, whatever `sampleRateConverterQuality` says; a change discards pending input.
    package var isMastering = false {
        didSet { if oldValue != isMastering { reset() } }
    }
    /// For each output channel, the input channel that it plays, or −1 for silence; empty for the usual routes.
    @_disfavoredOverload public var channelMap: [Int] = []

    /// The same as `sampleRateConverterQuality` and `channelMap`, for modules in which other properties have these names.
    package var rateQuality: RateQuality {
        get { sampleRateConverterQuality }
        set { sampleRateConverterQuality = newValue }
    }
    package var channelSources: [Int] {
        get { channelMap }
        set { channelMap = newValue }
    }

    private var stream: RateStream?
    private let routes: [ChannelRoute]
    /// Waiting frames at the input's rate, in the output's channels; silence behind the end.
    private let waiting: AudioBuffer
    private var (waitingStart, waitingCount) = (0, 0)
    private let output: AudioBuffer
    /// The buffer that the program gave last, and the frame up to which it has been taken.
    private var source: (buffer: AudioPCMBuffer, position: Int)?
    private var hasEnded = false
    private var (takenCount, madeCount) = (0, 0)

    private static let pieceFrameCount = 1024

    /// Makes a converter between two formats; nil if the rates are too far apart, or a format is impossible.
    public init?(from inputFormat: AudioFormat, to outputFormat: AudioFormat) {
        for format in [inputFormat, outputFormat] {
            guard (1...255).contains(format.channelCount), format.sampleRate > 0, format.sampleRate.isFinite,
                format.commonFormat != .otherFormat
            else { return nil }
        }
        (self.inputFormat, self.outputFormat) = (inputFormat, outputFormat)
        routes = ChannelMap.routes(
            from: inputFormat.channelCount, inputFormat.layout, to: outputFormat.channelCount, outputFormat.layout)
        waiting = AudioBuffer(channelCount: outputFormat.channelCount, frameCapacity: Self.pieceFrameCount)
        output = AudioBuffer(channelCount: outputFormat.channelCount, frameCapacity: Self.pieceFrameCount)
        guard makeStream() else { return nil }
    }

    private var convertsRate: Bool { inputFormat.sampleRate != outputFormat.sampleRate }

    private func makeStream() -> Bool {
        guard convertsRate else { return true }
        // `init` returns nil for rates that are too far apart; with these two `reset` makes one as before.
        stream = try? RateStream(
            channelCount: outputFormat.channelCount, from: inputFormat.sampleRate, to: outputFormat.sampleRate,
            quality: isMastering ? .best : sampleRateConverterQuality)
        return stream != nil
    }

    /// Discards the input taken so far, so that another stream can be converted.
    public func reset() {
        (waitingStart, waitingCount, takenCount, madeCount) = (0, 0, 0, 0)
        (source, hasEnded) = (nil, false)
        _ = makeStream()
    }

    /// Converts a whole buffer, whose end is the end of the sound, between formats of the same or different rates.
    ///
    /// Discards the input taken so far. Throws `bufferFormat` for buffers of other formats, and `tooManyFrames` if the output buffer is too
    /// short.
    public func convert(to output: AudioPCMBuffer, from input: AudioPCMBuffer) throws(AudioEngineError) {
        let count = frameCount(of: input.frameLength)
        guard count <= output.frameCapacity else { throw .tooManyFrames(count, maximum: output.frameCapacity) }
        reset()
        var given = false
        _ = try convert(to: output) { _, status in
            status.pointee = given ? .endOfStream : .haveData
            defer { given = true }
            return given ? nil : input
        }
    }

    /// Returns the number of output frames for `count` input frames.
    private func frameCount(of count: Int) -> Int {
        Int(nearestFrame: Double(count) * outputFormat.sampleRate / inputFormat.sampleRate)
    }

    /// Fills a buffer from the program's input block, and sets its length to the number of frames made.
    ///
    /// Throws `bufferFormat` for buffers of other formats than the converter's.
    @discardableResult
    public func convert(to buffer: AudioPCMBuffer, withInputFrom block: InputBlock) throws(AudioEngineError)
        -> AudioConverterOutputStatus
    {
        buffer.frameLength = 0
        guard buffer.format == outputFormat else {
            throw .bufferFormat(node: NamedNode("Converter"), buffer: buffer.format, player: outputFormat)
        }
        while buffer.frameLength < buffer.frameCapacity {
            let room = buffer.frameCapacity - buffer.frameLength
            // The output ends where the input ends, and no frame later.
            let left = hasEnded ? min(room, frameCount(of: takenCount) - madeCount) : room
            guard left > 0 else { return .endOfStream }
            if waitingCount == 0, try !refill(room, block) { return .inputRanDry }
            make(min(hasEnded ? min(room, frameCount(of: takenCount) - madeCount) : room, Self.pieceFrameCount), into: buffer)
        }
        return .haveData
    }

    private func make(_ count: Int, into buffer: AudioPCMBuffer) {
        guard count > 0 else { return }
        let input = waiting.block(frameCount: waitingStart + waitingCount)
        let result = output.block(frameCount: count)
        var step = (taken: min(count, waitingCount), made: min(count, waitingCount))
        if convertsRate {
            let made = stream?.convert(input.channels, from: waitingStart, waitingCount, to: result.channels, from: 0, count)
            step = made ?? (waitingCount, 0)
        } else {
            for channel in 0..<result.channelCount { result[channel].update(from: input[channel] + waitingStart, count: step.made) }
        }
        waitingStart += step.taken
        waitingCount -= step.taken
        let start = buffer.frameLength
        buffer.frameLength += step.made
        buffer.write(output.block(frameCount: step.made), at: start)
        madeCount += step.made
    }

    /// Takes the next frames in, or silence behind the end; false if there are none now.
    private func refill(_ room: Int, _ block: InputBlock) throws(AudioEngineError) -> Bool {
        while source == nil, !hasEnded {
            var status = AudioConverterInputStatus.noDataNow
            let wanted = max(1, Int(nearestFrame: (Double(room) * inputFormat.sampleRate / outputFormat.sampleRate).rounded(.up)))
            let buffer = block(wanted, &status)
            if case .endOfStream = status { hasEnded = true }
            guard let buffer, buffer.frameLength > 0, !hasEnded else {
                if hasEnded { break }
                return false
            }
            guard buffer.format == inputFormat else {
                throw .bufferFormat(node: NamedNode("Converter"), buffer: buffer.format, player: inputFormat)
            }
            source = (buffer, 0)
        }
        waitingStart = 0
        guard let (buffer, position) = source else {
            waiting.block(frameCount: Self.pieceFrameCount).silence()
            waitingCount = Self.pieceFrameCount
            return true
        }
        let count = min(Self.pieceFrameCount, buffer.frameLength - position)
        take(buffer, position..<position + count)
        source = position + count < buffer.frameLength ? (buffer, position + count) : nil
        waitingCount = count
        takenCount += count
        return true
    }

    private func take(_ buffer: AudioPCMBuffer, _ frames: Range<Int>) {
        let scratch = AudioBuffer(channelCount: inputFormat.channelCount, frameCapacity: frames.count)
        let input = scratch.block(frameCount: frames.count)
        buffer.copy(frames, into: input)
        let result = waiting.block(frameCount: frames.count)
        result.silence()
        if channelMap.isEmpty {
            for route in routes {
                let (from, to) = (input[route.source], result[route.destination])
                for frame in 0..<frames.count { to[frame] += from[frame] * route.gain }
            }
        } else {
            for (channel, source) in channelMap.prefix(result.channelCount).enumerated()
            where (0..<input.channelCount).contains(source) {
                result[channel].update(from: input[source], count: frames.count)
            }
        }
    }
}
