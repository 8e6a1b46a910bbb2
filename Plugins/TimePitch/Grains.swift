// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Puts the output together from short pieces of the input. Made on the control thread, used on the render thread.

import DSP
import PluginSDK

/// Reads grain after grain, each from where its middle belongs in time, and fades from one to the next.
///
/// A grain is moved a little so that it continues the one before. Its place is calculated anew each time, so no error adds up.
struct Grains: ~Copyable {
    private let sampleRate: Double
    private let matcher: GrainMatcher
    private var reader: SincReader
    /// The frames around the present grain, which begins at `start`.
    private let region: AudioBuffer
    private var (start, used) = (0, 0)
    private var lengths: GrainLengths?
    /// The end of the grain before, and the frames over which it fades out.
    private let tail: AudioBuffer
    private var fadeFrameCount = 0

    init(channelCount: Int, sampleRate: Double) {
        self.sampleRate = sampleRate
        let longest = GrainLengths.longest(sampleRate: sampleRate)
        matcher = GrainMatcher(sampleRate: sampleRate, frameCount: longest.before + longest.after + longest.fade)
        reader = SincReader(channelCount: channelCount, highestStep: 4)
        // Neither of the lengths is shorter than 16 frames.
        region = AudioBuffer(channelCount: channelCount, frameCapacity: longest.frameCount + 64)
        tail = AudioBuffer(channelCount: channelCount, frameCapacity: longest.fade + 64)
    }

    @_noLocks
    mutating func reset() {
        reader.reset()
        (lengths, used, fadeFrameCount) = (nil, 0, 0)
    }

    /// Writes output frames, the next ones of the pace.
    @_noLocks
    mutating func render(
        _ count: Int, of past: borrowing InputHistory, _ pace: borrowing DelayedPace, to output: AudioBlock, at start: Int
    ) {
        var done = 0
        while done < count {
            let left = (lengths?.body ?? 0) &- used
            if left == 0 {
                begin(past, pace, ahead: done)
                continue
            }
            let frames = min(left, count &- done)
            write(frames, to: output, at: start &+ done)
            used &+= frames
            done &+= frames
        }
    }

    @_noLocks
    private func write(_ count: Int, to output: AudioBlock, at frame: Int) {
        let (sound, old) = (region.block(frameCount: region.frameCapacity), tail.block(frameCount: tail.frameCapacity))
        let fading = max(0, min(count, fadeFrameCount &- used))
        for channel in 0..<min(output.channelCount, sound.channelCount) {
            let (from, before, to) = (sound[channel] + start + used, old[channel] + used, output[channel] + frame)
            for index in 0..<fading {
                let share = Float(used &+ index) / Float(fadeFrameCount)
                to[index] = before[index] + (from[index] - before[index]) * share
            }
            for index in fading..<count { to[index] = from[index] }
        }
    }

    /// Begins the grain whose first frame is heard `ahead` frames from now.
    @_noLocks
    private mutating func begin(_ past: borrowing InputHistory, _ pace: borrowing DelayedPace, ahead: Int) {
        keepTail()
        let next = choose(pace, ahead)
        let (piece, middle) = pace.heard(ahead: ahead &+ next.middle)
        fadeFrameCount = min(fadeFrameCount, next.body)
        // Further on the input may not be there yet.
        let most = pace.reached(ahead: ahead) - margin(piece.pitch) - Double(next.middle &+ next.after &+ 1) * piece.pitch
        let place = min(middle, most) - Double(next.middle &+ next.before) * piece.pitch
        read(past, next.frameCount, from: place, step: piece.pitch)
        start = next.before
        if piece.rate != 1 || piece.pitch != 1 {
            start = matcher.find(
                tail.block(frameCount: fadeFrameCount), fadeFrameCount, in: region.block(frameCount: next.frameCount),
                upTo: next.before &+ next.after, around: next.before, range: range(next, piece))
        }
        (lengths, used) = (next, 0)
    }

    /// The frames by which a grain may well be moved: events are moved by as much, divided by the speed.
    @_noLocks
    private func range(_ lengths: GrainLengths, _ piece: DelayedPace.Piece) -> Float {
        Float(max(1, min(1, 2 * piece.rate / piece.pitch) * Double(lengths.before)))
    }

    /// Keeps the end of the grain before; it fades out.
    @_noLocks
    private mutating func keepTail() {
        guard let last = lengths else { return }
        let (sound, end) = (region.block(frameCount: region.frameCapacity), tail.block(frameCount: last.fade))
        for channel in 0..<end.channelCount {
            let from = sound[channel] + start + last.body
            for frame in 0..<last.fade { end[channel][frame] = from[frame] }
        }
        fadeFrameCount = last.fade
    }

    /// Chooses the lengths for which the input is known far enough ahead.
    ///
    /// At a low rate little of the input comes in the time of the delay. So grains are shorter there.
    @_noLocks
    private func choose(_ pace: borrowing DelayedPace, _ ahead: Int) -> GrainLengths {
        let usual = GrainLengths.longest(sampleRate: sampleRate).middle
        let (piece, middle) = pace.heard(ahead: ahead &+ usual)
        let slowness = piece.rate / piece.pitch
        let full = GrainLengths(sampleRate: sampleRate, slowness: slowness, share: 1)
        let known = (pace.reached(ahead: ahead) - middle - margin(piece.pitch)) / piece.pitch
        let share = known / Double(full.framesAhead)
        return share >= 1 ? full : GrainLengths(sampleRate: sampleRate, slowness: slowness, share: max(0, share))
    }

    /// The frames that the filter needs beyond the last one that is read.
    @_noLocks
    private func margin(_ pitch: Double) -> Double { pitch == 1 ? 2 : Double(SincReader.halfWidth) * max(1, pitch) + 2 }

    @_noLocks
    private mutating func read(_ past: borrowing InputHistory, _ count: Int, from place: Double, step: Double) {
        let block = region.block(frameCount: count)
        if step == 1 { return past.copy(from: Int64(Maths.floor(place + 0.5)), count, to: block, at: 0) }
        for frame in 0..<count {
            reader.read(past, at: place + Double(frame) * step, stretch: step, to: block, frame: frame)
        }
    }
}
