// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The schedule of an AVAudioPlayer: loops, its position in the sound, and its end. Any thread but the render thread.

import AudioGraph
import Foundation

extension AVAudioPlayer {
    /// Connects the graph, once.
    func connect() throws {
        guard !state.withLock({ $0.isReady }) else { return }
        let timePitch = state.withLock { $0.timePitch }
        try engine.edit {
            engine.attach(node)
            if let timePitch {
                engine.attach(timePitch)
                _ = try engine.connect(node, to: timePitch, format: format) as EditTicket
                _ = try engine.connect(timePitch, to: engine.mainMixerNode, format: format) as EditTicket
            } else {
                _ = try engine.connect(node, to: engine.mainMixerNode, format: format) as EditTicket
            }
        }
        state.withLock { $0.isReady = true }
    }

    /// The frame of the sound that plays now.
    var currentFrame: Int64 {
        let (start, isScheduled) = state.withLock { ($0.startFrame, $0.scheduledCount > 0) }
        guard isScheduled, file.length > 0 else { return start }
        return (start + node.playerTime.sampleTime) % file.length
    }

    /// Clears the schedule, and schedules the sound from a frame on.
    func locate(_ frame: Int64) {
        let wasPlaying = node.isPlaying
        state.withLock { state in
            state.generation += 1
            (state.startFrame, state.scheduledCount) = (min(frame, max(0, file.length - 1)), 0)
            (state.remainingCount, state.turnCount) = (state.loopCount, 0)
        }
        node.stop()
        guard engine.isRunning || state.withLock({ $0.isReady }) else { return }
        schedule(from: state.withLock { $0.startFrame })
        // The next turn is read ahead while this one plays, so that the seam is inaudible.
        scheduleNextTurn()
        if wasPlaying { node.play() }
    }

    func scheduleNextTurn() {
        let isWanted = state.withLock { state in
            guard state.remainingCount != 0 else { return false }
            if state.remainingCount > 0 { state.remainingCount -= 1 }
            return true
        }
        if isWanted { schedule(from: 0) }
    }

    private func schedule(from frame: Int64) {
        let generation = state.withLock { state in
            state.scheduledCount += 1
            state.turnCount += 1
            return state.generation
        }
        let result: Result<Void, AudioEngineError> = node.scheduleSegment(
            file, startingFrame: frame, frameCount: Int(file.length - frame), completionCallbackType: .dataPlayedBack
        ) { [weak self] completion in self?.turnIsOver(completion, generation) }
        guard case .failure(let error) = result else { return }
        AVFAudioLog.write(error)
        if case .file(_, let failure) = error { finish(failure, generation) }
    }

    private func turnIsOver(_ completion: AudioPlayerNodeCompletion, _ generation: Int) {
        let isLast = state.withLock { state in
            guard state.generation == generation else { return false }
            state.scheduledCount -= 1
            return state.scheduledCount == 0 && state.remainingCount == 0
        }
        guard state.withLock({ $0.generation == generation }) else { return }
        scheduleNextTurn()
        if isLast || completion.failure != nil { finish(completion.failure, generation) }
    }

    /// The seconds of sound that remain after the end of the file has been read.
    ///
    /// The node does not know them if it converts the rate.
    private var tailSeconds: Double {
        guard enableRate, let rate = engine.lastRenderTime?.sampleRate, rate > 0 else { return 0 }
        return Double(engine.latencyFrameCount) / rate
    }

    private func finish(_ failure: AudioFileError?, _ generation: Int) {
        DispatchQueue.main.asyncAfter(deadline: .now() + tailSeconds) { [self] in
            guard state.withLock({ $0.generation == generation }) else { return }
            stop()
            state.withLock { $0.startFrame = 0 }
            if let failure { delegate?.audioPlayerDecodeErrorDidOccur(self, error: failure) }
            delegate?.audioPlayerDidFinishPlaying(self, successfully: failure == nil)
        }
    }
}
