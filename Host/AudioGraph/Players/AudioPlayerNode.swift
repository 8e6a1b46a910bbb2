// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node that plays buffers and files: one after the other, at a time, in loops. Any thread.

import AudioFiles

/// How a buffer is scheduled.
public struct AudioPlayerNodeBufferOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt

    /// Options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The buffer repeats until it is interrupted or the player is stopped.
    public static let loops = AudioPlayerNodeBufferOptions(rawValue: 1)
    /// The buffer ends what plays and what waits.
    public static let interrupts = AudioPlayerNodeBufferOptions(rawValue: 2)
    /// The buffer begins when the loop that plays is at its end.
    public static let interruptsAtLoop = AudioPlayerNodeBufferOptions(rawValue: 4)
}

/// When a completion is called.
public enum AudioPlayerNodeCompletionCallbackType: Int, Sendable {
    /// The player has read the buffer to its end; the buffer may be used for something else.
    case dataConsumed
    /// The player has rendered the buffer's last frame.
    case dataRendered
    /// The last frame has gone through the nodes behind the player and has been handed to the device for a cycle.
    case dataPlayedBack
}

/// What became of a scheduled buffer or file.
public struct AudioPlayerNodeCompletion: Hashable, Sendable {
    /// Whether the buffer or the file was played to its end, and not stopped, interrupted or damaged.
    public let wasPlayed: Bool
    /// The player's time at the end.
    public let sampleTime: Int64
    /// Why a file ended early.
    public var failure: AudioFileError?
}

/// Plays buffers and files.
///
/// They are played in the order in which they are scheduled, without a gap. The player's time counts the frames that it has
/// played since it was stopped.
open class AudioPlayerNode: AudioNode, AudioMixing, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored property is a constant that may be shared.
    /// Called once, on a thread of the engine that holds no lock.
    public typealias CompletionHandler = @Sendable (AudioPlayerNodeCompletion) -> Void

    /// What is scheduled, and what renders it.
    let schedule: PlayerBody

    var source: PlayerSource { schedule.source }

    /// A player of nothing.
    public init() {
        schedule = PlayerBody()
        super.init(name: "Player", body: schedule)
    }

    /// Schedules a buffer after those that wait, or at a time of the player, or at a host time.
    ///
    /// The host time counts where there is no sample time, and never when the engine is rendered by hand without a deadline. The completion is
    /// called once, after those of the buffers before, when its type says so or when the buffer is stopped or interrupted.
    ///
    /// A mono buffer plays in every channel. Where a player was connected without a format, and the device's rate is not known because it was never
    /// started, the first buffer or file says at which rate the player plays. A buffer of another rate, or of other channels than the player's output has, is not
    /// scheduled: the error is returned, and `start` and `edit` of the engine throw it too.
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

    /// The format that is played; where the device's rate is not known yet, what is scheduled first says at which rate.
    func playedFormat(first: AudioFormat) -> AudioFormat {
        engine?.setRate(first.sampleRate, of: self)
        return outputFormat(forBus: 0) ?? .stereo(in: nil)
    }

    /// Plays what is scheduled, from the next cycle on, from a sample time of the engine on, or from a host time on.
    ///
    /// A time that has passed is now.
    public func play(at when: AudioTime? = nil) { play(at: when, keepsStep: false) }

    /// Starts several players of one engine on the same frame: as soon as it can be, or at a sample time of the engine or a host time.
    ///
    /// A player that learns of its start late is in step with the others all the same: it leaves out what should have been heard by then. So
    /// the start is some cycles ahead unless it is given.
    public static func play(_ players: [AudioPlayerNode], at when: AudioTime? = nil) {
        let when = when ?? players.lazy.compactMap(\.engine).first?.commonStart
        for player in players { player.play(at: when, keepsStep: when != nil) }
    }

    private func play(at when: AudioTime?, keepsStep: Bool) {
        let orders = source.orders
        let when = when?.at(rate)
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

    /// Stops, forgets the schedule and sets the time to 0.
    ///
    /// The buffers' completions are called soon, on another thread.
    public func stop() { schedule.reset(self) }

    /// Whether `play` was called since the last `pause` or `stop`.
    public var isPlaying: Bool { source.orders.pointee.isPlaying.load(ordering: .relaxed) }

    /// The player's time: the frames that it has played since it was stopped.
    public var playerTime: AudioTime {
        let isStopped =
            source.orders.pointee.generation.load(ordering: .acquiring)
            != source.orders.pointee.seenGeneration.load(ordering: .acquiring)
        let time = isStopped ? 0 : source.orders.pointee.time.load(ordering: .relaxed)
        return AudioTime(sampleTime: time, atRate: rate)
    }

    /// The player's rate.
    package var rate: Double { (outputFormat(forBus: 0) ?? .stereo(in: nil)).sampleRate }

    /// The player's time at a time of the engine; nil while it does not play.
    public func playerTime(forNodeTime nodeTime: AudioTime) -> AudioTime? {
        guard let origin, let time = nodeTime.at(rate).sampleTime else { return nil }
        return AudioTime(sampleTime: time &- origin, atRate: rate)
    }

    /// The engine's time at a time of the player; nil while it does not play.
    public func nodeTime(forPlayerTime playerTime: AudioTime) -> AudioTime? {
        guard let origin, let time = playerTime.at(rate).sampleTime else { return nil }
        return AudioTime(sampleTime: time &+ origin, atRate: rate)
    }

    /// The engine's sample time at the player's time 0.
    private var origin: Int64? {
        let origin = source.orders.pointee.origin.load(ordering: .relaxed)
        return isPlaying && origin != .min ? origin : nil
    }
}
