// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Players by the names of Apple's systems: calls that do not throw, and async calls. Any thread but the render thread.

import AudioGraph

/// Plays buffers and files.
public typealias AVAudioPlayerNode = AudioPlayerNode
/// The options for playing a buffer.
public typealias AVAudioPlayerNodeBufferOptions = AudioPlayerNodeBufferOptions
/// The moment at which a completion is called.
public typealias AVAudioPlayerNodeCompletionCallbackType = AudioPlayerNodeCompletionCallbackType
/// Called when scheduled sound is over.
public typealias AVAudioPlayerNodeCompletionHandler = (AVAudioPlayerNodeCompletionCallbackType) -> Void

extension AudioPlayerNode {
    /// Schedules a buffer after the waiting ones.
    ///
    /// An error here, and in the calls below, is written to standard error, and thrown by the engine's next `start()`.
    public func scheduleBuffer(_ buffer: AudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil) {
        scheduleBuffer(buffer, at: nil, options: [], completionHandler: completionHandler)
    }

    /// Schedules a buffer.
    public func scheduleBuffer(
        _ buffer: AudioPCMBuffer, at when: AudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        scheduleBuffer(
            buffer, at: when, options: options, completionCallbackType: .dataConsumed,
            completionHandler: completionHandler.map { handler in { _ in handler() } })
    }

    /// Schedules a buffer after the waiting ones.
    public func scheduleBuffer(
        _ buffer: AudioPCMBuffer, completionCallbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        scheduleBuffer(
            buffer, at: nil, options: [], completionCallbackType: completionCallbackType, completionHandler: completionHandler)
    }

    /// Schedules a buffer.
    public func scheduleBuffer(
        _ buffer: AudioPCMBuffer, at when: AudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType type: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        let result: Result<Void, AudioEngineError> = scheduleBuffer(
            buffer, at: when, options: options, completionCallbackType: type,
            completionHandler: Self.handler(completionHandler, type))
        Self.log(result)
    }

    /// Schedules a whole file.
    public func scheduleFile(
        _ file: AudioFile, at when: AudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        scheduleFile(
            file, at: when, completionCallbackType: .dataConsumed,
            completionHandler: completionHandler.map { handler in { _ in handler() } })
    }

    /// Schedules a whole file.
    public func scheduleFile(
        _ file: AudioFile, at when: AudioTime?, completionCallbackType type: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        let result: Result<Void, AudioEngineError> = scheduleFile(
            file, at: when, completionCallbackType: type, completionHandler: Self.handler(completionHandler, type))
        Self.log(result)
    }

    /// Schedules a part of a file.
    public func scheduleSegment(
        _ file: AudioFile, startingFrame: AVAudioFramePosition, frameCount: AVAudioFrameCount, at when: AudioTime?,
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        scheduleSegment(
            file, startingFrame: startingFrame, frameCount: frameCount, at: when, completionCallbackType: .dataConsumed,
            completionHandler: completionHandler.map { handler in { _ in handler() } })
    }

    /// Schedules a part of a file.
    public func scheduleSegment(
        _ file: AudioFile, startingFrame: AVAudioFramePosition, frameCount: AVAudioFrameCount, at when: AudioTime?,
        completionCallbackType type: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        let result: Result<Void, AudioEngineError> = scheduleSegment(
            file, startingFrame: startingFrame, frameCount: Int(frameCount), at: when, completionCallbackType: type,
            completionHandler: Self.handler(completionHandler, type))
        Self.log(result)
    }

    /// Does nothing: files are always read ahead as soon as they are scheduled.
    public func prepare(withFrameCount frameCount: AVAudioFrameCount) {}

    // MARK: Awaited

    /// Schedules a buffer, and returns when it has been consumed; at once if the player does not play.
    ///
    /// Otherwise a program that awaits this call before `play()` would wait for ever.
    public func scheduleBuffer(_ buffer: AudioPCMBuffer) async { await scheduleBuffer(buffer, at: nil) }

    /// Schedules a buffer, and returns when it has been consumed; at once if the player does not play.
    public func scheduleBuffer(
        _ buffer: AudioPCMBuffer, at when: AudioTime?, options: AVAudioPlayerNodeBufferOptions = []
    ) async {
        guard isPlaying else { return schedule(buffer, when, options, .dataConsumed) {} }
        await withCheckedContinuation { over in schedule(buffer, when, options, .dataConsumed) { over.resume() } }
    }

    /// Schedules a buffer, and returns when its completion would be called.
    @discardableResult
    public func scheduleBuffer(
        _ buffer: AudioPCMBuffer, at when: AudioTime? = nil, options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType type: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await withCheckedContinuation { over in schedule(buffer, when, options, type) { over.resume() } }
        return type
    }

    /// Schedules a file, and returns when it has been consumed; at once if the player does not play.
    public func scheduleFile(_ file: AudioFile, at when: AudioTime?) async {
        guard isPlaying else { return schedule(file, when, .dataConsumed) {} }
        await withCheckedContinuation { over in schedule(file, when, .dataConsumed) { over.resume() } }
    }

    /// Schedules a file, and returns when its completion would be called.
    @discardableResult
    public func scheduleFile(
        _ file: AudioFile, at when: AudioTime?, completionCallbackType type: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await withCheckedContinuation { over in schedule(file, when, type) { over.resume() } }
        return type
    }

    // MARK: Helpers

    /// Schedules a buffer; if that fails, its completion is called at once.
    private func schedule(
        _ buffer: AudioPCMBuffer, _ when: AudioTime?, _ options: AVAudioPlayerNodeBufferOptions,
        _ type: AVAudioPlayerNodeCompletionCallbackType, over: @escaping @Sendable () -> Void
    ) {
        let result: Result<Void, AudioEngineError> = scheduleBuffer(
            buffer, at: when, options: options, completionCallbackType: type, completionHandler: { _ in over() })
        Self.log(result, orElse: over)
    }

    private func schedule(
        _ file: AudioFile, _ when: AudioTime?, _ type: AVAudioPlayerNodeCompletionCallbackType,
        over: @escaping @Sendable () -> Void
    ) {
        let result: Result<Void, AudioEngineError> = scheduleFile(
            file, at: when, completionCallbackType: type, completionHandler: { _ in over() })
        Self.log(result, orElse: over)
    }

    private static func handler(
        _ handler: AVAudioPlayerNodeCompletionHandler?, _ type: AVAudioPlayerNodeCompletionCallbackType
    ) -> CompletionHandler? {
        // SAFETY: it is called once, on the engine's thread, as the program knows.
        nonisolated(unsafe) let sharedHandler = handler
        guard handler != nil else { return nil }
        return { (_: AudioPlayerNodeCompletion) in sharedHandler?(type) }
    }

    private static func log(_ result: Result<Void, AudioEngineError>, orElse over: () -> Void = {}) {
        guard case .failure(let error) = result else { return }
        AVFAudioLog.write(error)
        over()
    }
}
