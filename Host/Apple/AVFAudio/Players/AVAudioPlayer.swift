// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays one sound file. Any thread but the render thread; the delegate is called on the main thread.

import AudioFormats
import AudioGraph
import Foundation
import Synchronization

/// Receives the events of an `AVAudioPlayer`.
public protocol AVAudioPlayerDelegate: AnyObject {
    /// Handles the end of the sound; `flag` is false if its file is damaged.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
    /// Handles a damaged file.
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

extension AVAudioPlayerDelegate {
    /// Does nothing.
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
    /// Does nothing.
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}

/// Plays one sound file with its own engine.
open class AVAudioPlayer: NSObject, @unchecked Sendable {
    // SAFETY: all variables are in the mutex; the engine and its nodes may be used from any thread.
    /// The file; nil for a sound in memory.
    public let url: URL?
    /// The sound in memory; nil for a file.
    public let data: Data?
    let file: AudioFile
    let engine = AudioEngine()
    let node = AudioPlayerNode()
    let state = Mutex(State())
    private let meter = LevelMeter()

    struct State {
        // SAFETY: a weak reference is read and written with the lock held.
        nonisolated(unsafe) weak var delegate: (any AVAudioPlayerDelegate)?
        var loopCount = 0
        var timePitch: AudioUnitTimePitch?
        var isMetering = false
        /// True if the graph is connected.
        var isReady = false
        /// The number of times that the sound must still be scheduled; negative for ever.
        var remainingCount = 0
        /// The frame of the sound at the player's time 0.
        var startFrame: Int64 = 0
        /// Counts the calls that clear the schedule.
        var generation = 0
        /// The scheduled turns that are not over, and all turns that were scheduled since the schedule was cleared.
        var scheduledCount = 0
        var turnCount = 0
        /// Counts the calls that set the volume.
        var fadeNumber = 0
    }

    /// Opens a file.
    public init(contentsOf url: URL) throws {
        (self.url, data) = (url, nil)
        file = try AudioFile(forReading: url.path)
        super.init()
    }

    /// Opens a file; its contents decide its kind.
    public convenience init(contentsOf url: URL, fileTypeHint: String?) throws { try self.init(contentsOf: url) }

    /// Opens a sound in memory.
    public init(data: Data) throws {
        (url, self.data) = (nil, data)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sound-\(UUID().uuidString)").path
        try data.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        file = try AudioFile(forReading: path)
        super.init()
    }

    /// Opens a sound in memory; its contents decide its kind.
    public convenience init(data: Data, fileTypeHint: String?) throws { try self.init(data: data) }

    deinit { engine.stop() }

    /// The receiver of the player's events.
    public var delegate: (any AVAudioPlayerDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// The format of the sound.
    public var format: AVAudioFormat { file.processingFormat }
    /// The format of the file.
    public var settings: [String: Any] { file.fileFormat.settings }
    /// The number of channels.
    public var numberOfChannels: Int { format.channels }
    /// The length in seconds.
    public var duration: TimeInterval { Double(file.length) / format.sampleRate }
    /// The time of the device in seconds.
    public var deviceCurrentTime: TimeInterval { Double(mach_absolute_time()) / 1e9 }
    /// True if the sound plays.
    public var isPlaying: Bool { node.isPlaying && engine.isRunning }

    /// The pan: −1 is left, 0 the centre, 1 right.
    public var pan: Float {
        get { node.pan }
        set { node.pan = newValue }
    }

    /// The number of repetitions after the first time; negative for ever.
    public var numberOfLoops: Int {
        get { state.withLock { $0.loopCount } }
        set {
            state.withLock { state in
                state.loopCount = newValue
                state.remainingCount = newValue < 0 ? -1 : max(0, min(newValue, Int.max - 1) + 1 - state.turnCount)
            }
            if state.withLock({ $0.scheduledCount == 1 }) { scheduleNextTurn() }
        }
    }

    /// True if the rate can be changed; set it before the sound is played.
    public var enableRate: Bool {
        get { state.withLock { $0.timePitch != nil } }
        set {
            state.withLock { state in
                guard newValue != (state.timePitch != nil), !state.isReady else { return }
                state.timePitch = newValue ? AudioUnitTimePitch() : nil
            }
        }
    }

    /// The rate, 0.5 to 2, at the same pitch; it takes effect if `enableRate` is true.
    public var rate: Float {
        get { state.withLock { $0.timePitch }?.rate ?? 1 }
        set { state.withLock { $0.timePitch }?.rate = max(0.5, min(2, newValue)) }
    }

    /// The position in the sound in seconds; a new value moves the position.
    public var currentTime: TimeInterval {
        get { Double(currentFrame) / format.sampleRate }
        set { locate(Int64(Int(nearestFrame: max(0, min(duration, newValue.isFinite ? newValue : 0)) * format.sampleRate))) }
    }

    // MARK: Playing

    /// Allocates the resources for `play`; false if that fails, with the reason on standard error.
    @discardableResult
    open func prepareToPlay() -> Bool {
        do {
            try connect()
            engine.prepare()
            return true
        } catch {
            AVFAudioLog.write("\(error)")
            return false
        }
    }

    /// Plays; false if that fails, with the reason on standard error.
    @discardableResult
    open func play() -> Bool { play(after: nil) }

    /// Plays from a moment of `deviceCurrentTime` on.
    @discardableResult
    open func play(atTime time: TimeInterval) -> Bool { play(after: AudioTime.hostTime(forSeconds: time)) }

    private func play(after hostTime: UInt64?) -> Bool {
        do {
            try connect()
            if state.withLock({ $0.scheduledCount == 0 }) { locate(currentFrame) }
            if !engine.isRunning { try engine.start() }
            node.play(at: hostTime.map { AudioTime(hostTime: $0) })
            return true
        } catch {
            AVFAudioLog.write("\(error)")
            return false
        }
    }

    /// Pauses.
    open func pause() { node.pause() }

    /// Stops, and keeps the position.
    open func stop() {
        let frame = currentFrame
        state.withLock { state in
            state.generation += 1
            (state.startFrame, state.scheduledCount) = (frame, 0)
        }
        node.stop()
        engine.stop()
    }

    // MARK: Meters

    /// True if levels are measured.
    public var isMeteringEnabled: Bool {
        get { state.withLock { $0.isMetering } }
        set {
            guard newValue != isMeteringEnabled else { return }
            state.withLock { $0.isMetering = newValue }
            if newValue { meter.begin(on: engine.mainMixerNode) } else { meter.end() }
        }
    }

    /// Shows the levels that were measured since the last call.
    open func updateMeters() { meter.update() }

    /// The mean level of a channel in decibels of full scale, −160 for silence.
    open func averagePower(forChannel channel: Int) -> Float { meter.average(channel) }

    /// The peak of a channel in decibels of full scale, −160 for silence.
    open func peakPower(forChannel channel: Int) -> Float { meter.peak(channel) }
}
