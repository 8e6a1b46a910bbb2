// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A streamed asset of one event, read ahead into its ring. One thread at a time, but for the ring.

import AudioFiles
import LinuxSystem
import Realtime
import Synchronization

/// Reads a file ahead of one sound.
final class FileFeed: @unchecked Sendable {
    // SAFETY: the event's own thread uses it before the reading thread has it, and that thread alone afterwards. The ring has its own rules.
    let ring: UnsafeMutablePointer<FileRing>
    /// True if the event has gone.
    let isOver = Atomic<Bool>(false)
    private let reader: AudioFileReader
    /// The format of the file as it is now.
    var format: AudioFileFormat { reader.format }
    private let isLooping: Bool
    /// The frames of the file, once it has been read to its end; before, those that its header states.
    private var length: Int
    private let buffer: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let memory: UnsafeMutablePointer<Float>

    /// The frames that are read in one step.
    private static let stepFrameCount = 512

    /// Opens a file, and reads its beginning.
    ///
    /// Throws the errors of `AudioFileReader`, and `notEnoughMemory`.
    init(_ path: String, isLooping: Bool, byteCount: Int, bell: EventBell) throws(AudioFileError) {
        reader = try AudioFileReader(path: path)
        (self.isLooping, length) = (isLooping, reader.format.frameCount)
        let channelCount = reader.format.channelCount
        guard let made = FileRing(channelCount: channelCount, byteCount: byteCount, bell: bell) else {
            throw .notEnoughMemory(path: path, byteCount: UInt64(byteCount))
        }
        ring = .allocate(capacity: 1)
        ring.initialize(to: made)
        memory = .allocate(capacity: channelCount * Self.stepFrameCount)
        memory.initialize(repeating: 0, count: channelCount * Self.stepFrameCount)
        buffer = .allocate(capacity: channelCount)
        for channel in 0..<channelCount { (buffer + channel).initialize(to: memory + channel * Self.stepFrameCount) }
        _ = step()
    }

    deinit {
        ring.deinitialize(count: 1)
        ring.deallocate()
        buffer.deallocate()
        memory.deallocate()
    }

    /// Reads some frames; false if there is nothing to do.
    func step() -> Bool {
        let hasSought = takeSeek()
        guard !ring.pointee.hasFailed.load(ordering: .relaxed) else { return hasSought }
        if reader.position >= length, isLooping, !seek(toFrame: 0) { return true }
        let count = min(Self.stepFrameCount, length - reader.position)
        guard count > 0, ring.pointee.room >= count else { return hasSought }
        do throws(AudioFileError) {
            let got = try reader.read(into: UnsafePointer(buffer), frameCount: count)
            ring.pointee.write(
                AudioBlock(channels: UnsafePointer(buffer), channelCount: reader.format.channelCount, frameCount: got), got)
            if got < count { endEarly() }
        } catch { fail() }
        return true
    }

    /// Takes an end of the file before the one that its header states: encoders count whole blocks.
    private func endEarly() {
        length = reader.position
        guard length > 0 else { return fail() }
        if !isLooping { ring.pointee.end.store(length, ordering: .releasing) }
    }

    /// Goes where the render thread has sought; false if it has not.
    private func takeSeek() -> Bool {
        // Acquire: the place belongs to the number, or to a later one, which is served next.
        let number = ring.pointee.seekNumber.load(ordering: .acquiring)
        guard number != ring.pointee.servedNumber.load(ordering: .relaxed) else { return false }
        let frame = ring.pointee.seekFrame.load(ordering: .relaxed)
        _ = seek(toFrame: min(frame, length))
        ring.pointee.serve(number, at: frame)
        return true
    }

    private func seek(toFrame frame: Int) -> Bool {
        do throws(AudioFileError) {
            try reader.seek(toFrame: frame)
            return true
        } catch {
            fail()
            return false
        }
    }

    /// The rest is silent; the missing frames are counted.
    private func fail() { ring.pointee.hasFailed.store(true, ordering: .releasing) }
}
