// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Time-pitch: plays its input at another speed, another pitch, or both. Render thread.

import DSP
import PluginSDK

/// Takes as many frames as the host provides, and plays earlier sound, stretched.
///
/// At rate 1 and without a change of pitch, the output is the delayed input: samples are copied. The kernel cross-fades between
/// copied and stretched sound.
struct TimePitch: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.formatConverter, "tmpt", "blkh"), name: "Time Pitch", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), tags: ["Time", "Pitch"], flags: [.consentsToInProcess, .stretchesTime])

    static let parameters = ParameterTree(
        // A host that stretches time sets the rate in step with its frame counts; it does not ramp.
        Parameter("rate", name: "Rate", address: 0, range: 1.0 / 32...32, default: 1, unit: .ratio, flags: .logarithmic),
        // The stretcher applies a new pitch at once.
        Parameter("pitch", name: "Pitch", address: 1, range: -2400...2400, default: 0, unit: .cents, flags: []))

    /// The sound that is heard.
    private enum Mode {
        case copying, stretching
    }

    private let past: InputHistory
    private var stretcher: Stretcher
    private let other: AudioBuffer
    /// The delay of the copied input, in frames.
    ///
    /// It equals the look-ahead of the stretcher at any pitch, for rates up to 1. At higher rates, the stretcher needs this
    /// time ahead.
    private let lag: Int
    private let fadeFrameCount: Int
    private var mode = Mode.copying
    /// The frames until the sound has faded to `mode`.
    private var fadeFramesLeft = 0
    /// The host's rate, and the stretcher's rate; the latter follows once enough input is ahead.
    private var rate = 1.0
    private var stretchRate = 1.0
    private var holdFramesLeft = 0
    private var pitch = 1.0
    /// The rate and pitch that the host has requested; during bypass, both are replaced by 1.
    private var askedRate = 1.0
    private var askedPitch = 1.0
    private var isBypassed = false
    /// The reading position of the stretcher.
    private var place = 0.0
    /// The next frame of the input to copy.
    private var copyPlace: Int64

    init(_ setup: RenderSetup) throws(UnitError) {
        lag = setup.frameCount(seconds: 0.19)
        copyPlace = -Int64(lag)
        fadeFrameCount = max(1, setup.frameCount(seconds: 0.02))
        past = InputHistory(channelCount: setup.channelCount, frameCount: 34 * lag + 2 * setup.maximumFrameCount)
        other = AudioBuffer(channelCount: setup.channelCount, frameCapacity: setup.maximumFrameCount)
        stretcher = try Stretcher(
            channelCount: max(1, setup.channelCount), sampleRate: setup.sampleRate, mostFrames: 34 * lag)
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        switch change.address {
        case 0: askedRate = change.value
        case 1: askedPitch = Maths.exp2(change.value / 1200)
        default: return
        }
        if !isBypassed { follow() }
    }

    /// Switches to the requested rate and pitch, or to the input itself.
    @_noLocks private mutating func follow() {
        rate = isBypassed ? 1 : askedRate
        pitch = isBypassed ? 1 : askedPitch
        if mode == .copying {
            if rate == 1, pitch == 1 { return }
            if fadeFramesLeft == 0 {
                place = Double(copyPlace)
                stretcher.begin(at: copyPlace)
                stretchRate = 1
            }
            changeOver(to: .stretching)
        }
        hold()
    }

    @_noLocks mutating func render(_ block: RenderBlock) {
        past.append(block.input)
        let first = past.end &- Int64(block.input.frameCount)
        var done = 0
        while done < block.frameCount {
            var count = block.frameCount &- done
            if holdFramesLeft > 0 { count = min(count, holdFramesLeft) }
            if fadeFramesLeft > 0 { count = min(count, fadeFramesLeft) }
            renderPiece(count, block.output, at: done)
            done &+= count
            // At rate 1, the host provides one input frame for each output frame.
            if endsHold(count) { changeRate(at: first &+ Int64(done)) }
        }
    }

    @_noLocks mutating func reset() {
        past.forget()
        copyPlace = -Int64(lag)
        (mode, fadeFramesLeft, holdFramesLeft, stretchRate) = (.copying, 0, 0, 1)
        guard rate != 1 || pitch != 1 else { return }
        mode = .stretching
        stretchRate = rate
        place = -Double(lag) * max(1, rate)
        stretcher.begin(at: Int64(Maths.floor(place)))
        stretcher.set(rate: rate, pitch: pitch)
    }

    var latencyFrameCount: Int { @_noLocks get { lag } }
    var tailFrameCount: Int { @_noLocks get { 2 &* lag } }
    /// True: during bypass the host provides one frame for each, so the rate is 1, and the pitch must not change either.
    var hasBypass: Bool { @_noLocks get { true } }
    @_noLocks mutating func setBypassed(_ isBypassed: Bool) {
        guard isBypassed != self.isBypassed else { return }
        self.isBypassed = isBypassed
        if askedRate != 1 || askedPitch != 1 { follow() }
    }
}

extension TimePitch {
    /// Lets the stretcher read at its old rate until the new one has enough input ahead.
    @_noLocks
    private mutating func hold() {
        let missing = Double(lag) * max(1, rate) - (Double(past.end) - place)
        let speed = rate - stretchRate
        let frames = speed == 0 ? 0 : missing / speed
        holdFramesLeft = frames > 0 && frames < 1e7 ? Int(frames) : 0
        stretcher.set(rate: stretchRate, pitch: pitch)
        if holdFramesLeft == 0 { changeRate(at: past.end) }
    }

    /// Counts the frames until the rate changes; true if it changes now.
    @_noLocks
    private mutating func endsHold(_ count: Int) -> Bool {
        guard holdFramesLeft > 0 else { return false }
        holdFramesLeft &-= count
        return holdFramesLeft == 0
    }

    /// Switches the stretcher to the host's rate; `end` is the newest frame of the input, if the rate is 1.
    @_noLocks
    private mutating func changeRate(at end: Int64) {
        stretchRate = rate
        stretcher.set(rate: rate, pitch: pitch)
        guard rate == 1, pitch == 1, mode == .stretching else { return }
        // The sound that fades out is copied from elsewhere, so this waits for the end of the fade.
        guard fadeFramesLeft == 0 else {
            holdFramesLeft = fadeFramesLeft
            return
        }
        copyPlace = end &- Int64(lag)
        changeOver(to: .copying)
    }

    /// Fades to the other sound, or back if a fade has begun.
    @_noLocks
    private mutating func changeOver(to new: Mode) {
        mode = new
        fadeFramesLeft = fadeFrameCount &- fadeFramesLeft
    }

    @_noLocks
    private mutating func renderPiece(_ count: Int, _ output: AudioBlock, at start: Int) {
        let isFading = fadeFramesLeft > 0
        if mode == .copying {
            past.copy(from: copyPlace, count, to: output, at: start)
            if isFading { mix(count, stretch(count), into: output, at: start) }
        } else {
            let made = stretcher.take(count, of: past, into: output, from: start)
            silence(output, from: start &+ made, to: start &+ count)
            place += Double(count) * stretchRate
            if isFading {
                let dry = other.block(frameCount: count)
                past.copy(from: copyPlace, count, to: dry, at: 0)
                mix(count, dry, into: output, at: start)
            }
        }
        copyPlace &+= Int64(count)
        if isFading { fadeFramesLeft &-= count }
    }

    /// Continues the stretched sound, which fades out.
    @_noLocks
    private mutating func stretch(_ count: Int) -> AudioBlock {
        let block = other.block(frameCount: count)
        let made = stretcher.take(count, of: past, into: block, from: 0)
        silence(block, from: made, to: count)
        place += Double(count) * stretchRate
        return block
    }

    @_noLocks
    private func silence(_ block: AudioBlock, from start: Int, to end: Int) {
        for channel in 0..<block.channelCount {
            for frame in start..<max(start, end) { block[channel][frame] = 0 }
        }
    }

    /// Mixes the sound that fades out into the one that fades in.
    @_noLocks
    private func mix(_ count: Int, _ leaving: AudioBlock, into output: AudioBlock, at start: Int) {
        for frame in 0..<count {
            let share = Float(fadeFramesLeft &- frame) / Float(fadeFrameCount)
            for channel in 0..<output.channelCount {
                let sample = output[channel][start &+ frame]
                output[channel][start &+ frame] = sample + (leaving[channel][frame] - sample) * share
            }
        }
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { TimePitch.exported }
