// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The streams of an event: their gains, rates, buffers and renderers. Any thread but the render thread.

import AudioFormats
import AudioGraph
import Synchronization

/// A stream of an event.
///
/// `[any]` but the render thread.
public class StreamNode: @unchecked Sendable {
    // SAFETY: the lock of the running events guards what is not constant.
    let stream: StreamMemory
    let event: EventMemory
    private let engine: SoundEngineBox

    init(_ stream: StreamMemory, of event: EventMemory, in engine: SoundEngineBox) {
        (self.stream, self.event, self.engine) = (stream, event, engine)
    }

    /// The identifier.
    public var id: String { stream.id }
    /// The rate and the channels of the stream.
    public var format: AudioFormat { stream.format }

    /// Fades a gain of its own to a value from 0 to 1; others are clamped.
    ///
    /// Throws `notANumber` and `engineGone`.
    public func fadeGain(to gain: Double, over seconds: Double = SoundEvent.fadeSeconds) throws(SoundEventError) {
        try fade(0, max(0, min(1, gain)), gain.isNaN, seconds)
    }

    /// Fades a speed of its own to a value from 0.25 to 4; others are clamped.
    ///
    /// Throws `notANumber` and `engineGone`.
    public func fadeRate(to rate: Double, over seconds: Double = 0) throws(SoundEventError) {
        try fade(1, max(0.25, min(4, rate)), rate.isNaN, seconds)
    }

    private func fade(_ ramp: Int, _ value: Double, _ isNaN: Bool, _ seconds: Double) throws(SoundEventError) {
        guard !isNaN, !seconds.isNaN else { throw .notANumber(id) }
        let engine = try engine.present()
        var command = SceneCommand(.glide)
        (command.ramp, command.value, command.frameCount) = (stream.ramps + ramp, value, engine.frames(seconds))
        engine.running.change(command, of: event)
    }

    func running() throws(SoundEventError) -> RunningEvents { try engine.present().running }
}

/// A stream of an event that plays the program's buffers, one after the other.
///
/// `[any]` but the render thread. Without a buffer it is silent, and goes on with the next one.
public final class PushStreamNode: StreamNode, @unchecked Sendable {
    // SAFETY: as for the base.
    /// The silent frames that were played so far because there was no buffer.
    ///
    /// At another speed than the engine's the stream reads some 130 frames ahead.
    public var missingFrameCount: Int { stream.core.pointee.missingCount.load(ordering: .relaxed) }

    /// Schedules a copy of a buffer, in any sample format; before the start of the event, too.
    ///
    /// The closure is called once: by a thread of the engine, by `update()` in manual mode, or when an event goes that was never started.
    /// Throws `streamFormat`, `emptyAudio`, `ended` and `engineGone`, and the closure is not called then.
    public func schedule(
        _ buffer: AudioPCMBuffer, options: StreamBufferOptions = [], completion: (@Sendable (StreamBufferEnding) -> Void)? = nil
    ) throws(SoundEventError) {
        let given = buffer.format
        guard given.channels == format.channels, given.sampleRate == format.sampleRate, given.commonFormat != .otherFormat else {
            throw .streamFormat(id, wanted: format, given: given)
        }
        guard buffer.frames > 0 else { throw .emptyAudio(id) }
        let item = StreamItem(buffer, options, completion)
        guard try running().schedule(item, stream, of: event) else { throw .ended }
    }
}

/// A stream of an event that the program renders.
///
/// `[any]` but the render thread. It needs a block or a generator before the event starts.
public final class PullStreamNode: StreamNode, @unchecked Sendable {
    // SAFETY: as for the base.
    /// Renders the stream by a block, which runs on the render thread.
    ///
    /// The compiler does not check the block: it must neither allocate, lock nor wait, and captures all that it needs. Its sample time
    /// counts the stream's own frames. Throws `alreadyStarted` and `engineGone`.
    public func setRenderBlock(_ block: @escaping AudioSourceNode.RenderBlock) throws(SoundEventError) {
        try set(StreamClosure(block))
    }

    /// Renders the stream by a generator, whose function the compiler checks if it is marked `@_noLocks`.
    ///
    /// It belongs to the stream from now on. Throws `alreadyStarted` and `engineGone`.
    public func setGenerator<Generator: AudioGenerator & Sendable & ~Copyable>(
        _ generator: consuming Generator
    ) throws(SoundEventError) {
        try set(StreamGenerator(generator))
    }

    private func set(_ box: StreamBox) throws(SoundEventError) {
        guard try running().set(box, stream, of: event) else { throw .alreadyStarted }
    }
}
