// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The files of a player, read while they play. Any thread but the render thread.

import AudioFiles
import AudioFormats
import Realtime
import Synchronization

extension AudioPlayerNode {
    /// Schedules a whole file; see `scheduleSegment`.
    @discardableResult
    @_disfavoredOverload
    public func scheduleFile(
        _ file: AudioFile, at when: AudioTime? = nil, completionCallbackType: AudioPlayerNodeCompletionCallbackType = .dataConsumed,
        completionHandler: CompletionHandler? = nil
    ) -> Result<Void, AudioEngineError> {
        scheduleSegment(
            file, startingFrame: 0, frameCount: Int(file.length), at: when, completionCallbackType: completionCallbackType,
            completionHandler: completionHandler)
    }

    /// Schedules a part of a file after the waiting sounds, at a time of the player, or at a host time.
    ///
    /// The frames are counted at the file's rate. Threads of their own read the file two seconds ahead, and convert it to the player's rate
    /// and channels. Successive files are one sound, in all formats: the joint is inaudible, and no frame is lost or added. In real time
    /// the player does not wait for a slow disk: it plays silence for missing frames, and counts them in `underrunFrameCount`. Offline the
    /// engine waits. A damaged file ends at the damage, and its completion has the error.
    ///
    /// Times and completions are those of `scheduleBuffer`. A file that is not open for reading, or a part outside it, is not scheduled.
    /// The call returns the error, and `start` and `edit` of the engine throw it, too.
    @discardableResult
    @_disfavoredOverload
    public func scheduleSegment(
        _ file: AudioFile, startingFrame: Int64, frameCount: Int, at when: AudioTime? = nil,
        completionCallbackType: AudioPlayerNodeCompletionCallbackType = .dataConsumed, completionHandler: CompletionHandler? = nil
    ) -> Result<Void, AudioEngineError> {
        if let error = objection(to: file, startingFrame, frameCount) {
            engine?.keep(error)
            return .failure(error)
        }
        let format = playedFormat(first: file.processingFormat)
        let (result, feed) = schedule.queue.withLock { queue -> (Result<Void, AudioEngineError>, FileFeed) in
            let newest = queue.entries[queue.entries.count - 1]
            let known = queue.feed.flatMap {
                $0.channelCount == format.channelCount && $0.sampleRate == format.sampleRate ? $0 : nil
            }
            let isFeedNew = known == nil
            let feed = known ?? FileFeed(channelCount: format.channelCount, sampleRate: format.sampleRate, player: source)
            let follows = when == nil && !isFeedNew && newest.schedule.piece?.isOver == false
            guard let piece = feed.append(file, from: Int(startingFrame), frameCount, continues: follows) else {
                let byteCount =
                    UInt64(clamping: 4 * format.channelCount) &* UInt64(max(0, Int(nearestFrame: 2 * format.sampleRate)))
                return (.failure(.file(node: NamedNode(self), .notEnoughMemory(path: file.path, byteCount: byteCount))), feed)
            }
            queue.feed = feed
            schedule.append(
                PlayerSchedule(piece: piece, when: when?.at(format.sampleRate)), to: &queue, completionCallbackType,
                completionHandler)
            return (.success(()), feed)
        }
        // The call returns when the first frames have been read.
        feed.begin()
        if case .failure(let error) = result { engine?.keep(error) }
        engine?.wakeThread()
        return result
    }

    /// Returns the reason why a part of a file cannot be scheduled; nil if it can.
    private func objection(to file: AudioFile, _ startingFrame: Int64, _ frameCount: Int) -> AudioEngineError? {
        guard file.isForReading else { return .file(node: NamedNode(self), .notOpen(path: file.path, act: .read)) }
        let length = file.length
        guard (0...length).contains(startingFrame) else {
            return .file(node: NamedNode(self), .seekOutside(path: file.path, frame: Int(startingFrame), frameCount: Int(length)))
        }
        guard (0...length - startingFrame).contains(Int64(frameCount)) else {
            let end = Int(startingFrame.addingReportingOverflow(Int64(frameCount)).partialValue)
            return .file(node: NamedNode(self), .seekOutside(path: file.path, frame: end, frameCount: Int(length)))
        }
        return nil
    }

    /// The number of frames of files not read in time since the player was made.
    public var underrunFrameCount: Int64 { source.orders.pointee.underrunCount.load(ordering: .relaxed) }
}
