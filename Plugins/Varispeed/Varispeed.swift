// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Varispeed: plays its input faster or slower, with its pitch, as a tape does. Render thread.

import DSP
import PluginSDK
import RateConversion

/// Takes as many frames as the host provides, and reads them at the rate, at a constant delay.
///
/// At rate 1 the output is the delayed input: samples are copied. On the way back to 1, the reading position glides to a whole
/// frame.
struct Varispeed: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.formatConverter, "vari", "blkh"), name: "Varispeed", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), tags: ["Time"], flags: [.consentsToInProcess, .stretchesTime])

    static let parameters = ParameterTree(
        // A host that stretches time sets the rate in step with its frame counts; it does not ramp.
        Parameter("rate", name: "Rate", address: 0, range: 0.25...4, default: 1, unit: .ratio, flags: .logarithmic))

    private static var quality: RateQuality { @_noLocks get { .medium } }
    /// The frames in which the position glides to a whole one.
    private static var glideFrameCount: Int { @_noLocks get { 2400 } }

    private let past: InputHistory
    /// The frames between the reading position and the newest frame.
    private let lag: Int
    private let reach: Int
    private var stream: RateStream
    private let feed: AudioBuffer
    private let dropped: AudioBuffer
    private var rate = 1.0
    /// True if the input is copied, from `place` on.
    private var isCopying = true
    /// The input frame of the next output frame; whole while samples are copied.
    private var place: Double
    /// The next frame for the converter.
    private var nextFed: Int64 = 0
    /// The frames until the position is whole, and the input frames for each of them.
    private var glideFramesLeft = 0
    private var step = 1.0
    private var goal = 0.0

    init(_ setup: RenderSetup) throws(UnitError) {
        reach = RateStream.lookahead(ratio: 0.25, quality: Self.quality)
        // Some extra frames, because the host counts whole ones.
        lag = reach + 8
        place = -Double(lag)
        past = InputHistory(channelCount: setup.channelCount, frameCount: setup.maximumFrameCount + 4 * lag)
        feed = AudioBuffer(channelCount: setup.channelCount, frameCapacity: 512)
        dropped = AudioBuffer(channelCount: setup.channelCount, frameCapacity: 512)
        do throws(RateConversionError) {
            stream = try RateStream(
                channelCount: max(1, setup.channelCount), from: setup.sampleRate, to: setup.sampleRate, quality: Self.quality)
        } catch {
            throw .formatRefused(error.reason)
        }
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        guard change.address == 0, change.value != rate else { return }
        rate = change.value
        if rate == 1 { return glideToWhole() }
        if isCopying { beginConverting() }
        (glideFramesLeft, step) = (0, rate)
        stream.setRatio(1 / rate)
    }

    @_noLocks mutating func render(_ block: RenderBlock) {
        past.append(block.input)
        var done = 0
        while done < block.frameCount {
            let count = block.frameCount &- done
            done &+= isCopying ? copy(count, to: block.output, from: done) : convert(count, to: block.output, from: done)
        }
    }

    @_noLocks mutating func reset() {
        past.forget()
        (place, isCopying, glideFramesLeft) = (-Double(lag), true, 0)
        if rate != 1 {
            beginConverting()
            step = rate
            stream.setRatio(1 / rate)
        }
    }

    var latencyFrameCount: Int { @_noLocks get { lag } }
    var tailFrameCount: Int { @_noLocks get { lag } }
    /// True: during bypass the host provides one frame for each, so the rate is 1.
    var hasBypass: Bool { @_noLocks get { true } }
    @_noLocks mutating func setBypassed(_ isBypassed: Bool) {}
}

extension Varispeed {
    @_noLocks
    private mutating func copy(_ count: Int, to output: AudioBlock, from frame: Int) -> Int {
        past.copy(from: Int64(place), count, to: output, at: frame)
        place += Double(count)
        return count
    }

    /// Feeds the converter the sound before the position, at rate 1, so that it continues the copied sound.
    @_noLocks
    private mutating func beginConverting() {
        isCopying = false
        stream.reset()
        stream.setRatio(1)
        nextFed = Int64(place) &- Int64(reach)
        var left = reach
        while left > 0 {
            let made = take(min(left, dropped.frameCapacity), into: dropped.block(frameCount: dropped.frameCapacity), from: 0)
            if made == 0 { break }
            left &-= made
        }
    }

    /// Writes converted frames; returns their number, which is always the requested one.
    @_noLocks
    private mutating func convert(_ count: Int, to output: AudioBlock, from frame: Int) -> Int {
        let wanted = glideFramesLeft > 0 ? min(count, glideFramesLeft) : count
        let made = take(wanted, into: output, from: frame)
        // If the host provides too few frames for the rate, the rest is silent.
        for channel in 0..<output.channelCount {
            for index in frame &+ made..<frame &+ wanted { output[channel][index] = 0 }
        }
        place += Double(made) * step
        if glideFramesLeft > 0 {
            glideFramesLeft &-= wanted
            if glideFramesLeft == 0 { (place, isCopying) = (goal, true) }
        }
        return wanted
    }

    @_noLocks
    private mutating func take(_ count: Int, into output: AudioBlock, from frame: Int) -> Int {
        var made = 0
        while made < count {
            let available = Int(min(Int64(feed.frameCapacity), past.end &- nextFed))
            let input = feed.block(frameCount: max(0, available))
            past.copy(from: nextFed, max(0, available), to: input, at: 0)
            let result = stream.convert(
                input.channels, from: 0, max(0, available), to: output.channels, from: frame &+ made, count &- made)
            nextFed &+= Int64(result.taken)
            made &+= result.made
            if result.taken == 0, result.made == 0 { break }
        }
        return made
    }

    /// Reads slightly faster or slower, until the position is a whole number of frames behind the newest one.
    ///
    /// From here on the host takes one frame for each.
    @_noLocks
    private mutating func glideToWhole() {
        let now = Double(past.end) - Double(lag)
        let distance = Double(Self.glideFrameCount)
        goal = now + distance
        // A larger distance cannot be the host's rounding: the host does not count frames by the rate.
        guard abs(now - place) < 16 else {
            (place, isCopying) = (now, true)
            return
        }
        step = (goal - place) / distance
        glideFramesLeft = Self.glideFrameCount
        stream.setRatio(1 / step)
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Varispeed.exported }
