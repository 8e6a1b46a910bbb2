// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Stretches the input, and converts the rate of the result, so that time and pitch change independently. Render thread.

import CSoundTouchShims
import DSP
import PluginSDK
import RateConversion

/// SoundTouch, which changes the time, and a rate converter, which changes time and pitch together.
///
/// Frames are taken in only if nothing else can be put out, and in pieces of one size. So the amount taken in at a frame does
/// not depend on the division into blocks.
struct Stretcher: ~Copyable {
    private let library: UnsafeMutableRawPointer
    private var stream: RateStream
    private let channelCount: Int
    private let interleaved: UnsafeMutablePointer<Float>
    private let piece: AudioBuffer
    /// Stretched frames that the converter has not taken.
    private let stretched: AudioBuffer
    private var (stretchedStart, stretchedCount) = (0, 0)
    /// The next frame of the input.
    private(set) var next: Int64 = 0

    private static var pieceFrameCount: Int { @_noLocks get { 64 } }
    private static var stretchedFrameCount: Int { @_noLocks get { 256 } }

    /// `[control]` Makes a stretcher; throws if the libraries do not support the format.
    init(channelCount: Int, sampleRate: Double, mostFrames: Int) throws(UnitError) {
        let made: RateStream
        do throws(RateConversionError) {
            made = try RateStream(channelCount: channelCount, from: sampleRate, to: sampleRate, quality: .medium)
        } catch {
            throw .formatRefused(error.reason)
        }
        guard let library = CSoundTouchShims_make(Int32(clamping: channelCount), sampleRate, Int32(clamping: mostFrames)) else {
            throw .formatRefused("\(channelCount) channels cannot be stretched, 1 to 16 can")
        }
        (self.library, self.channelCount) = (library, channelCount)
        stream = made
        interleaved = .allocate(capacity: Self.stretchedFrameCount * channelCount)
        interleaved.initialize(repeating: 0, count: Self.stretchedFrameCount * channelCount)
        piece = AudioBuffer(channelCount: channelCount, frameCapacity: Self.pieceFrameCount)
        stretched = AudioBuffer(channelCount: channelCount, frameCapacity: Self.stretchedFrameCount)
    }

    deinit {
        CSoundTouchShims_free(library)
        interleaved.deallocate()
    }

    /// Restarts at a frame of the input.
    @_noLocks
    mutating func begin(at frame: Int64) {
        CSoundTouchShims_clear(library)
        stream.reset()
        (stretchedStart, stretchedCount, next) = (0, 0, frame)
    }

    /// Sets the number of input frames for each output frame, and the factor of the pitch.
    @_noLocks
    mutating func set(rate: Double, pitch: Double) {
        CSoundTouchShims_setTempo(library, rate / pitch)
        stream.setRatio(1 / pitch)
    }

    /// Writes output frames; returns their number, which is smaller than requested only at the end of the input.
    @_noLocks
    mutating func take(_ count: Int, of past: borrowing InputHistory, into output: AudioBlock, from frame: Int) -> Int {
        var made = 0
        while made < count {
            let input = stretched.block(frameCount: stretchedStart &+ stretchedCount)
            let step = stream.convert(
                input.channels, from: stretchedStart, stretchedCount, to: output.channels, from: frame &+ made, count &- made)
            stretchedStart &+= step.taken
            stretchedCount &-= step.taken
            made &+= step.made
            if step.taken == 0, step.made == 0, !stretch(past) { break }
        }
        return made
    }

    /// Stretches more of the input; false if there is no more.
    @_noLocks
    private mutating func stretch(_ past: borrowing InputHistory) -> Bool {
        while true {
            let count = Int(CSoundTouchShims_take(library, interleaved, Int32(Self.stretchedFrameCount)))
            if count > 0 {
                let block = stretched.block(frameCount: count)
                for channel in 0..<channelCount {
                    for frame in 0..<count { block[channel][frame] = interleaved[frame &* channelCount &+ channel] }
                }
                (stretchedStart, stretchedCount) = (0, count)
                return true
            }
            guard next &+ Int64(Self.pieceFrameCount) <= past.end else { return false }
            let block = piece.block(frameCount: Self.pieceFrameCount)
            past.copy(from: next, Self.pieceFrameCount, to: block, at: 0)
            for channel in 0..<channelCount {
                for frame in 0..<Self.pieceFrameCount { interleaved[frame &* channelCount &+ channel] = block[channel][frame] }
            }
            CSoundTouchShims_put(library, interleaved, Int32(Self.pieceFrameCount))
            next &+= Int64(Self.pieceFrameCount)
        }
    }
}
