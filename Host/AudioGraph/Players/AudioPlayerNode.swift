// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node that plays buffers and files: one after the other, at a time, in loops. Any thread.

import AudioFiles

/// The options of a scheduled buffer.
public struct AudioPlayerNodeBufferOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt

    /// Makes options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The buffer repeats until it is interrupted or the player is stopped.
    public static let loops = AudioPlayerNodeBufferOptions(rawValue: 1)
    /// The buffer ends the playing buffer and the waiting ones.
    public static let interrupts = AudioPlayerNodeBufferOptions(rawValue: 2)
    /// The buffer begins when the playing loop is at its end.
    public static let interruptsAtLoop = AudioPlayerNodeBufferOptions(rawValue: 4)
}

/// The event at which a completion is called.
public enum AudioPlayerNodeCompletionCallbackType: Int, Sendable {
    /// The player has read the buffer to its end; the buffer may be used for something else.
    case dataConsumed
    /// The player has rendered the buffer's last frame.
    case dataRendered
    /// The last frame has gone through the nodes behind the player, and has been handed to the device for a cycle.
    case dataPlayedBack
}

/// The outcome of a scheduled buffer or file.
public struct AudioPlayerNodeCompletion: Hashable, Sendable {
    /// True if the buffer or the file was played to its end, and not stopped, interrupted or damaged.
    public let wasPlayed: Bool
    /// The player's time at the end.
    public let sampleTime: Int64
    /// The reason why a file ended early.
    public var failure: AudioFileError?
}

/// Plays buffers and files.
///
/// It plays them in the order of scheduling, without a gap. The player's time counts the frames that it has played since it was stopped.
open class AudioPlayerNode: AudioNode, AudioMixing, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored property is a constant that threads may share.
    /// Called once, on a thread of the engine, which holds no lock.
    public typealias CompletionHandler = @Sendable (AudioPlayerNodeCompletion) -> Void

    /// The schedule, and the source that renders it.
    let schedule: PlayerBody

    var source: PlayerSource { schedule.source }

    /// Makes a player without a schedule.
    public init() {
        schedule = PlayerBody()
        super.init(name: "Player", body: schedule)
    }

    /// Schedules a buffer after the waiting ones, at a time of the player, or at a host time.
    ///
    /// The host time counts only without a sample time, and never when the program renders by hand without deadlines. The completion is
    /// called once, after those of the buffers before. It is called at the event of its type, or when the buffer is stopped or interrupted.
    ///
    /// A mono buffer plays in every channel. A player connected without a format, before a first start, does not know the device's rate.
    /// Then its first buffer or file determines the rate at which it plays. A buffer of another rate, or of other channels than the
    /// player's output, is not scheduled. The call returns the error, and `start` and `edit` of the engine throw it, too.
    @discardableResult
    @_disfavoredOverload
    public func scheduleBuffer(
        _ buffer: AudioPCMBuffer, at when: AudioTime? = nil, options: AudioPlayerNodeBufferOptions = [],
        completionCallbackType: AudioPlayerNodeCompletionCallbackType = .dataConsumed, completionHandler: CompletionHandler? = nil
    ) -> Result<Void, AudioEngineError> {
        let format = playedFormat(first: buffer.format)
        guard buffer.format.sampleRate == format.sampleRate,
            buffer.format.channelCount == format.channelCount || buffer.format.channelCount == 1
        else {
            let error = AudioEngineError.bufferFormat(node: NamedNode(self), buffer: buffer.format, player: format)
            engine?.keep(error)
            return .failure(error)
        }
        guard let buffer = buffer.standardized() else {
            let error = AudioEngineError.bufferFormat(node: NamedNode(self), buffer: buffer.format, player: format)
            engine?.keep(error)
            return .failure(error)
        }
        let schedule = PlayerSchedule(buffer: buffer, when: when?.at(format.sampleRate), options: options)
        self.schedule.append(schedule, completionCallbackType, completionHandler)
        engine?.wakeThread()
        return .success(())
    }

    /// Returns the format that plays; while the device's rate is unknown, the first scheduled sound determines the rate.
    func playedFormat(first: AudioFormat) -> AudioFormat {
        engine?.setRate(first.sampleRate, of: self)
        return outputFormat(forBus: 0) ?? .stereo(in: nil)
    }

    /// Plays the schedule from the next cycle on, or from a sample time of the engine or a host time.
    ///
    /// A time that has passed is now.
    public func play(at when: AudioTime? = nil) { play(at: when, keepsStep: false) }

    /// Starts several players of one engine on the same frame.
    ///
    /// They start as soon as possible, or at a sample time of the engine or a host time. A player that learns of its start late is in step
    /// with the others all the same: it leaves out the part that has passed. So the start is some cycles ahead unless the program sets it.
    public static func play(_ players: [AudioPlayerNode], at when: AudioTime? = nil) {
        let when = when ?? players.lazy.compactMap(\.engine).first?.commonStart
        for player in players { player.play(at: when, keepsStep: when != nil) }
    }

    private func play(at when: AudioTime?, keepsStep: Bool) {
        let orders = source.orders
        let when = when?.at(sampleRate)
        orders.pointee.keepsStep.store(keepsStep, ordering: .relaxed)
        orders.pointee.startTime.store(when?.sampleTime ?? .min, ordering: .relaxed)
        orders.pointee.startHostTime.store(when?.sampleTime == nil ? when?.hostTime ?? 0 : 0, ordering: .relaxed)
        orders.pointee.isPlaying.store(true, ordering: .releasing)
        // The end of a file that was held back is made now.
        if schedule.hasFiles { FileReaders.bell.ring() }
    }

    /// Stops for a while; time and schedule stay.
    public func pause() {
        source.orders.pointee.isPlaying.store(false, ordering: .releasing)
    }

    /// Stops, clears the schedule and sets the time to 0.
    ///
    /// The buffers' completions are called soon, on another thread.
    public func stop() { schedule.reset(self) }

    /// True if `play` was called since the last `pause` or `stop`.
    public var isPlaying: Bool { source.orders.pointee.isPlaying.load(ordering: .relaxed) }

    /// The player's time: the frames that it has played since it was stopped.
    public var playerTime: AudioTime {
        let time = isStopPending ? 0 : source.orders.pointee.time.load(ordering: .relaxed)
        return AudioTime(sampleTime: time, atRate: sampleRate)
    }

    /// True if the render thread has not seen the last `stop`; what it has stored belongs to the time before.
    private var isStopPending: Bool {
        source.orders.pointee.generation.load(ordering: .acquiring)
            != source.orders.pointee.seenGeneration.load(ordering: .acquiring)
    }

    /// The player's rate in hertz.
    package var sampleRate: Double { (outputFormat(forBus: 0) ?? .stereo(in: nil)).sampleRate }

    /// Returns the player's time at a time of the engine; nil while it does not play.
    public func playerTime(forNodeTime nodeTime: AudioTime) -> AudioTime? {
        guard let origin, let time = nodeTime.at(sampleRate).sampleTime else { return nil }
        return AudioTime(sampleTime: time &- origin, atRate: sampleRate)
    }

    /// Returns the engine's time at a time of the player; nil while it does not play.
    public func nodeTime(forPlayerTime playerTime: AudioTime) -> AudioTime? {
        guard let origin, let time = playerTime.at(sampleRate).sampleTime else { return nil }
        return AudioTime(sampleTime: time &+ origin, atRate: sampleRate)
    }

    /// The engine's sample time at the player's time 0.
    private var origin: Int64? {
        let origin = source.orders.pointee.origin.load(ordering: .relaxed)
        return isPlaying && !isStopPending && origin != .min ? origin : nil
    }
}
