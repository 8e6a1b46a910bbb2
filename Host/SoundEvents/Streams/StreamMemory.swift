// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The memory of one stream of an event. Control thread; the render thread uses the memory.

import AudioFiles
import AudioFormats
import LinuxSystem
import Realtime
import Synchronization

/// Owns the window of a stream, its gain and its rate.
final class StreamMemory: @unchecked Sendable {
    // SAFETY: before the start one thread at a time uses it, under the lock of the running events. From then on the render thread uses
    // the core and the ramps, and other threads the core's atomics.
    let id: String
    /// The rate and the channels that the program has to give.
    let format: AudioFormat
    let core: UnsafeMutablePointer<StreamCore>
    /// The program's gain and rate.
    let ramps: UnsafeMutablePointer<Ramp>
    /// The renderer of a pull stream.
    let renderer: StreamRenderer?
    let pace: Double
    /// The file of a streamed asset.
    private let feed: FileFeed?

    init(_ stream: SoundStream, isPull: Bool, engineRate: Double) {
        let rate = stream.sampleRate ?? engineRate
        (id, pace, feed) = (stream.id, rate / engineRate, nil)
        format = AudioFormat(sampleRate: rate, channelCount: stream.channelCount, layout: stream.layout)
        let renderer = isPull ? StreamRenderer() : nil
        self.renderer = renderer
        ramps = .allocate(capacity: 2)
        ramps.initialize(repeating: Ramp(1), count: 2)
        core = .allocate(capacity: 1)
        core.initialize(
            to: StreamCore(
                channelCount: stream.channelCount, function: renderer == nil ? nil : StreamRenderer.function,
                context: renderer.map { Unmanaged.passUnretained($0).toOpaque() }))
    }

    /// Makes the stream of a file, which is read ahead from now on.
    ///
    /// Throws `file`, and `changedFile` if it is not the one that was registered.
    init(_ file: StreamedFile, id: String, isLooping: Bool, in engine: SoundEngine) throws(SoundEventError) {
        let found = file.format
        (self.id, pace, renderer) = (id, found.sampleRate / engine.format.sampleRate, nil)
        format = AudioFormat(sampleRate: found.sampleRate, channelCount: found.channelCount, layout: found.channelLayout)
        let feed: FileFeed
        do throws(AudioFileError) {
            feed = try FileFeed(
                file.path, isLooping: isLooping, byteCount: SoundEngine.readAheadByteCount, bell: FileReaderThread.bell)
        } catch { throw .file(error) }
        let present = feed.format
        guard present.channelCount == found.channelCount, present.sampleRate == found.sampleRate,
            present.frameCount == found.frameCount
        else { throw .changedFile(file.path) }
        do throws(SystemError) {
            try FileReaderThread.shared.serve(feed)
        } catch { throw .file(.system(path: file.path, act: .read, code: error.code)) }
        self.feed = feed
        ramps = .allocate(capacity: 2)
        ramps.initialize(repeating: Ramp(1), count: 2)
        core = .allocate(capacity: 1)
        let source = StreamCore.File(
            ring: feed.ring, end: isLooping ? .max : found.frameCount, facts: engine.running.facts)
        core.initialize(to: StreamCore(channelCount: found.channelCount, file: source))
    }

    deinit {
        feed?.isOver.store(true, ordering: .releasing)
        core.deinitialize(count: 1)
        core.deallocate()
        ramps.deallocate()
    }
}
