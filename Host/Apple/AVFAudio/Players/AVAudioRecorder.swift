// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Records into a sound file. Any thread but the render thread; the delegate is called on the main thread.

import AudioFormats
import AudioGraph
import Foundation
import Synchronization

/// Receives the events of an `AVAudioRecorder`.
public protocol AVAudioRecorderDelegate: AnyObject {
    /// Handles the end of the recording; `flag` is false if its file could not be written.
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
    /// Handles a file that cannot be written.
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

extension AVAudioRecorderDelegate {
    /// Does nothing.
    public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}
    /// Does nothing.
    public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
}

/// Records the default source into a sound file, with its own engine.
open class AVAudioRecorder: NSObject, @unchecked Sendable {
    // SAFETY: all variables are in the mutex; the engine and its nodes may be used from any thread.
    /// The file.
    public let url: URL
    /// The settings from the program.
    public let settings: [String: Any]
    /// The format of the recording.
    public let format: AVAudioFormat
    private let engine = AudioEngine()
    private let state = Mutex(State())
    private let recorded: RecordedFile
    private let meter = LevelMeter()

    private struct State {
        // SAFETY: a weak reference is read and written with the lock held.
        nonisolated(unsafe) weak var delegate: (any AVAudioRecorderDelegate)?
        var tap: AudioTap?
        var isMetering = false
    }

    /// Makes a recorder for a file; see `AVAudioFile` for the settings.
    public init(url: URL, settings: [String: Any]) throws {
        (self.url, self.settings) = (url, settings)
        let file = try AudioFile(forWriting: url, settings: settings)
        format = file.processingFormat
        recorded = RecordedFile(file)
        super.init()
    }

    /// Makes a recorder for a file of a format.
    public convenience init(url: URL, format: AVAudioFormat) throws { try self.init(url: url, settings: format.settings) }

    deinit { stop() }

    /// The receiver of the recorder's events.
    public var delegate: (any AVAudioRecorderDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// True if the recorder records.
    public var isRecording: Bool { state.withLock { $0.tap != nil } && !recorded.state.withLock { $0.isPaused } }

    /// The length of the recording so far in seconds.
    public var currentTime: TimeInterval { Double(recorded.state.withLock { $0.frameCount }) / format.sampleRate }

    /// The time of the device in seconds.
    public var deviceCurrentTime: TimeInterval { Double(mach_absolute_time()) / 1e9 }

    /// Allocates the resources for `record`.
    @discardableResult
    open func prepareToRecord() -> Bool {
        _ = engine.inputNode
        return recorded.state.withLock { $0.file != nil }
    }

    /// Starts or resumes recording; false if that fails, with the reason on standard error.
    @discardableResult
    open func record() -> Bool {
        do {
            if state.withLock({ $0.tap != nil }) {
                recorded.state.withLock { $0.isPaused = false }
                return true
            }
            if recorded.state.withLock({ $0.file == nil }) {
                let file = try AudioFile(forWriting: url, settings: settings)
                recorded.state.withLock { ($0.file, $0.frameCount, $0.failure) = (file, 0, nil) }
            }
            guard AVAudioSession.sharedInstance().isInputAvailable else {
                AVFAudioLog.write("Couldn't record into \"\(url.path)\": PipeWire has no source.")
                return false
            }
            recorded.state.withLock { $0.isPaused = false }
            let (recorded, own) = (recorded, WeakRecorder(self))
            let tap: AudioTap = try engine.inputNode.installTap(onBus: 0, bufferSize: 1024, format: format) { buffer, _ in
                // Not on this thread: `stop` waits for it.
                if recorded.take(buffer) { DispatchQueue.global().async { own.recorder?.stop() } }
            }
            state.withLock { $0.tap = tap }
            try engine.start()
            return true
        } catch {
            takeTap()?.remove()
            AVFAudioLog.write("\(error)")
            return false
        }
    }

    /// Records for a number of seconds.
    @discardableResult
    open func record(forDuration duration: TimeInterval) -> Bool {
        recorded.state.withLock { $0.lastFrame = Int64(Int(nearestFrame: max(0, min(1e9, duration)) * format.sampleRate)) }
        guard record() else {
            recorded.state.withLock { $0.lastFrame = nil }
            return false
        }
        return true
    }

    /// Pauses.
    open func pause() { recorded.state.withLock { $0.isPaused = true } }

    /// Ends the recording and completes the file.
    open func stop() {
        guard let tap = takeTap() else { return }
        tap.remove()
        // The tap's remaining buffers belong to the recording. A separate thread waits for them, because all threads of Swift
        // tasks may be waiting here.
        let isDrained = DispatchSemaphore(value: 0)
        Task.detached(executorPreference: QueueExecutor.shared) {
            await tap.finished()
            isDrained.signal()
        }
        isDrained.wait()
        engine.stop()
        let (file, written) = recorded.state.withLock { state in
            (state.lastFrame, state.isPaused) = (nil, false)
            return (exchange(&state.file, with: nil), state.failure)
        }
        let failure = complete(file) ?? written
        DispatchQueue.main.async { [weak self] in
            guard let self else { return }
            if let failure { delegate?.audioRecorderEncodeErrorDidOccur(self, error: failure) }
            delegate?.audioRecorderDidFinishRecording(self, successfully: failure == nil)
        }
    }

    /// Removes the file of a finished recording.
    @discardableResult
    open func deleteRecording() -> Bool {
        guard !isRecording else { return false }
        return (try? FileManager.default.removeItem(at: url)) != nil
    }

    private final func takeTap() -> AudioTap? { state.withLock { state in exchange(&state.tap, with: nil) } }

    private func complete(_ file: AudioFile?) -> AudioFileError? {
        do throws(AudioFileError) { try file?.close() } catch { return error }
        return nil
    }

    // MARK: Meters

    /// True if levels are measured.
    public var isMeteringEnabled: Bool {
        get { state.withLock { $0.isMetering } }
        set {
            guard newValue != isMeteringEnabled else { return }
            state.withLock { $0.isMetering = newValue }
            if newValue { meter.begin(on: engine.inputNode) } else { meter.end() }
        }
    }

    /// Shows the levels that were measured since the last call.
    open func updateMeters() { meter.update() }

    /// The mean level of a channel in decibels of full scale, −160 for silence.
    open func averagePower(forChannel channel: Int) -> Float { meter.average(channel) }

    /// The peak of a channel in decibels of full scale, −160 for silence.
    open func peakPower(forChannel channel: Int) -> Float { meter.peak(channel) }
}

/// Runs tasks on threads of Dispatch's.
private final class QueueExecutor: TaskExecutor {
    static let shared = QueueExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
