// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Converts the sample rate of a stream, piece by piece, with libsamplerate's band-limited interpolation. One thread at a time.

import CSampleRate

/// The quality of a rate conversion; the better, the slower.
public enum RateQuality: Int, Sendable, CaseIterable {
    /// 97 % of the bandwidth, 144 dB.
    case best
    /// 90 % of the bandwidth, 121 dB.
    case medium
    /// 80 % of the bandwidth, 97 dB.
    case fastest

    var converter: CInt {
        switch self {
        case .best: CInt(SRC_SINC_BEST_QUALITY)
        case .medium: CInt(SRC_SINC_MEDIUM_QUALITY)
        case .fastest: CInt(SRC_SINC_FASTEST)
        }
    }
}

/// The reason why a converter could not be made.
public struct RateConversionError: Error, Hashable, Sendable {
    /// The reason in libsamplerate's words.
    public let reason: String
}

/// A stream of planar samples on its way to another rate.
///
/// The first output frame lies at the first input frame. The samples do not depend on the sizes of the pieces that go in or
/// out.
///
/// A frame can be put out once `lookahead` frames after its position have been taken in. The stream does not know its end, so
/// the caller appends silence there.
///
/// libsamplerate's sinc converters follow J. O. Smith's bandlimited interpolation.
public struct RateStream: ~Copyable {
    /// The number of channels.
    public let channelCount: Int
    /// The number of output frames for each input frame.
    public private(set) var ratio: Double
    private let state: OpaquePointer
    private let input: UnsafeMutablePointer<Float>
    private let output: UnsafeMutablePointer<Float>
    /// The size of the two buffers in frames.
    private static var pieceFrameCount: Int { @_noLocks get { 512 } }

    /// The ratios that libsamplerate supports.
    public static let ratios = 1.0 / 256...256.0
    /// The channel counts that libsamplerate supports.
    public static let channelCounts = 1...128

    /// `[control]` Makes a stream.
    ///
    /// Throws if the ratio lies outside `ratios`, the channel count lies outside `channelCounts`, or memory is short.
    public init(channelCount: Int, from: Double, to: Double, quality: RateQuality) throws(RateConversionError) {
        var code: CInt = 0
        guard from > 0, to > 0, Self.ratios.contains(to / from) else {
            throw RateConversionError(reason: "\(from) Hz are too far from \(to) Hz")
        }
        guard Self.channelCounts.contains(channelCount) else {
            throw RateConversionError(
                reason: "\(channelCount) channels cannot be converted, 1 to \(Self.channelCounts.upperBound) can")
        }
        guard let state = src_new(quality.converter, CInt(clamping: channelCount), &code) else {
            throw RateConversionError(reason: src_strerror(code).map { String(cString: $0) } ?? "error \(code)")
        }
        self.state = state
        self.channelCount = channelCount
        ratio = to / from
        input = .allocate(capacity: Self.pieceFrameCount * channelCount)
        output = .allocate(capacity: Self.pieceFrameCount * channelCount)
    }

    deinit {
        src_delete(state)
        input.deallocate()
        output.deallocate()
    }

    /// The most input frames beyond the position of an output frame that it may need.
    public static func lookahead(ratio: Double, quality: RateQuality) -> Int {
        // The longest half of a filter, in frames of the lower rate, and some frames that the library keeps back.
        let half = quality == .best ? 150 : quality == .medium ? 52 : 24
        return Int(Double(half) * max(1, 1 / ratio)) + 32
    }

    /// Takes in up to `inputCount` frames from `inputStart` on, and puts out up to `outputCount` frames from `outputStart` on.
    ///
    /// Returns the numbers of frames taken in and put out; it stops when neither is possible any more.
    @_noLocks
    public mutating func convert(
        _ inputChannels: UnsafePointer<UnsafeMutablePointer<Float>>, from inputStart: Int, _ inputCount: Int,
        to outputChannels: UnsafePointer<UnsafeMutablePointer<Float>>, from outputStart: Int, _ outputCount: Int
    ) -> (taken: Int, made: Int) {
        var (taken, made) = (0, 0)
        while made < outputCount {
            let count = min(inputCount &- taken, Self.pieceFrameCount)
            interleave(inputChannels, from: inputStart &+ taken, count)
            var step = SRC_DATA()
            step.data_in = UnsafePointer(input)
            step.input_frames = count
            step.data_out = output
            step.output_frames = min(outputCount &- made, Self.pieceFrameCount)
            step.src_ratio = ratio
            guard CSampleRate_process(state, &step) == 0 else { break }
            separate(to: outputChannels, from: outputStart &+ made, step.output_frames_gen)
            taken &+= step.input_frames_used
            made &+= step.output_frames_gen
            if step.output_frames_gen == 0, step.input_frames_used == 0 { break }
        }
        return (taken, made)
    }

    /// Changes the ratio from the next output frame on; a ratio outside `ratios` changes nothing.
    @_noLocks
    public mutating func setRatio(_ new: Double) {
        guard new >= 1.0 / 256, new <= 256, CSampleRate_setRatio(state, new) == 0 else { return }
        ratio = new
    }

    /// Forgets all sound; the next frame taken in is the first one.
    @_noLocks public mutating func reset() { _ = CSampleRate_reset(state) }

    @_noLocks
    private func interleave(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, from start: Int, _ count: Int) {
        for channel in 0..<channelCount {
            let (from, to) = (channels[channel] + start, input + channel)
            for frame in 0..<count { to[frame &* channelCount] = from[frame] }
        }
    }

    @_noLocks
    private func separate(to channels: UnsafePointer<UnsafeMutablePointer<Float>>, from start: Int, _ count: Int) {
        for channel in 0..<channelCount {
            let (from, to) = (output + channel, channels[channel] + start)
            for frame in 0..<count { to[frame] = from[frame &* channelCount] }
        }
    }
}
