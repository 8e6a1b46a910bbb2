// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Takes frames and their times from the render thread to a tap's own thread. Both threads.

import CRealtimeShims
import LinuxSystem
import Realtime
import Rendering
import Synchronization

/// The time of a frame in the stream of a tap.
struct TapMark {
    /// The frame, counted from the tap's first one.
    var position: UInt64
    /// The engine's sample time, and CLOCK_MONOTONIC nanoseconds.
    var sampleTime: Int64
    var hostTime: UInt64
}

/// A ring of frames that the render thread writes and one other thread reads.
///
/// In real time a cycle without room is dropped and counted. Offline the render thread waits for the reader, up to a limit.
struct TapRing: ~Copyable {
    private let inPlace = InPlace()
    let channelCount: Int
    /// The capacity in frames; a power of two.
    let capacity: Int
    private let samples: UnsafeMutablePointer<Float>
    private let marks: UnsafeMutablePointer<TapMark>
    private let markCapacity: Int
    let written = Atomic<UInt64>(0)
    let read = Atomic<UInt64>(0)
    let marksWritten = Atomic<UInt64>(0)
    let marksRead = Atomic<UInt64>(0)
    let droppedCount = Atomic<UInt64>(0)
    /// True once the writing has ended.
    let isClosed = Atomic<Bool>(false)
    /// The count of written frames at which the reader wants to be woken; 0 while it is awake.
    let wanted = Atomic<UInt64>(0)
    private let bell: EventBell
    /// A futex word that no thread rings: offline, the render thread sleeps on it for a moment.
    private let quietWord: UnsafeMutablePointer<UInt32>
    /// The state of the render thread, apart from the words that the reader uses.
    private let writer: UnsafeMutablePointer<Writer>

    private struct Writer {
        /// The sample time after the last written frame, and the frames since the last mark.
        var expectedTime = Int64.min
        var unmarkedCount = 0
    }

    /// The largest number of frames between two marks.
    private static var markInterval: Int { @_noLocks get { 4096 } }
    /// The longest wait of the render thread offline, in nanoseconds.
    private static var patience: UInt64 { @_noLocks get { 10_000_000_000 } }

    /// Makes a ring; `bell` wakes the reader.
    init(channelCount: Int, frameCount: Int, bell: EventBell) {
        self.bell = bell
        var capacity = 4096
        while capacity < frameCount { capacity *= 2 }
        self.channelCount = channelCount
        self.capacity = capacity
        samples = .allocate(capacity: max(1, channelCount * capacity))
        samples.initialize(repeating: 0, count: max(1, channelCount * capacity))
        // Each discontinuity takes a mark, and there are few.
        markCapacity = 256
        marks = .allocate(capacity: markCapacity)
        marks.initialize(repeating: TapMark(position: 0, sampleTime: 0, hostTime: 0), count: markCapacity)
        writer = .allocate(capacity: 1)
        writer.initialize(to: Writer())
        quietWord = .allocate(capacity: 1)
        quietWord.initialize(to: 0)
    }

    deinit {
        samples.deallocate()
        marks.deallocate()
        quietWord.deallocate()
        writer.deallocate()
    }

    // MARK: Render thread

    /// Writes a block.
    @_noLocks
    func write(_ block: AudioBlock, isSilent: Bool, _ cycle: RenderCycle) {
        let count = block.frameCount
        guard count > 0, !isClosed.load(ordering: .acquiring) else { return }
        let start = written.load(ordering: .relaxed)
        guard hasRoom(count, start) || cycle.isOffline && awaitRoom(count, start) else {
            droppedCount.wrappingAdd(UInt64(count), ordering: .relaxed)
            writer.pointee.expectedTime = .min
            return
        }
        copy(block, isSilent: isSilent, at: Int(truncatingIfNeeded: start) & (capacity &- 1))
        if cycle.sampleTime != writer.pointee.expectedTime || writer.pointee.unmarkedCount >= Self.markInterval {
            let number = marksWritten.load(ordering: .relaxed)
            marks[Int(truncatingIfNeeded: number) & (markCapacity &- 1)] = TapMark(
                position: start, sampleTime: cycle.sampleTime, hostTime: cycle.hostTime)
            // The marks are stored before the frames: a reader that sees the frames sees their time.
            marksWritten.store(number &+ 1, ordering: .releasing)
            writer.pointee.unmarkedCount = 0
        }
        writer.pointee.unmarkedCount &+= count
        writer.pointee.expectedTime = cycle.sampleTime &+ Int64(count)
        let end = start &+ UInt64(count)
        written.store(end, ordering: .sequentiallyConsistent)
        let wish = wanted.load(ordering: .sequentiallyConsistent)
        if wish != 0, end >= wish { bell.ring() }
    }

    @_noLocks
    private func hasRoom(_ count: Int, _ start: UInt64) -> Bool {
        start &+ UInt64(count) &- read.load(ordering: .acquiring) <= UInt64(capacity)
            && marksWritten.load(ordering: .relaxed) &- marksRead.load(ordering: .acquiring) < UInt64(markCapacity)
    }

    @_noLocks
    private func awaitRoom(_ count: Int, _ start: UInt64) -> Bool {
        guard count <= capacity else { return false }
        let deadline = MonotonicClock.now() &+ Self.patience
        while !hasRoom(count, start) {
            let now = MonotonicClock.now()
            guard now < deadline, !isClosed.load(ordering: .acquiring) else { return false }
            _ = Futex.wait(quietWord, while: 0, until: now &+ 200_000)
        }
        return true
    }

    @_noLocks
    private func copy(_ block: AudioBlock, isSilent: Bool, at position: Int) {
        let first = min(block.frameCount, capacity &- position)
        for channel in 0..<channelCount {
            let line = samples + channel &* capacity
            if isSilent || channel >= block.channelCount {
                CRealtimeShims_clearSamples(line + position, first)
                CRealtimeShims_clearSamples(line, block.frameCount &- first)
            } else {
                CRealtimeShims_copySamples(line + position, block[channel], first)
                CRealtimeShims_copySamples(line, block[channel] + first, block.frameCount &- first)
            }
        }
    }

    // MARK: Reader

    /// Ends the stream: the reader still gets the frames written before.
    func close() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        bell.ring()
    }

    /// Requests a wake-up once `count` frames can be read; false if they already can, or never will.
    func wants(_ count: Int) -> Bool {
        let wish = read.load(ordering: .relaxed) &+ UInt64(count)
        wanted.store(wish, ordering: .sequentiallyConsistent)
        return written.load(ordering: .sequentiallyConsistent) < wish && !isClosed.load(ordering: .sequentiallyConsistent)
    }

    /// Notes that the reader is awake.
    func wantsNothing() { wanted.store(0, ordering: .relaxed) }

    /// Returns the time of the next frame, the number of frames up to the next gap, and true if there is a gap behind them.
    ///
    /// The render thread may have written more meanwhile: that is no gap.
    func front() -> (time: TapMark, frameCount: Int, endsAtGap: Bool)? {
        let position = read.load(ordering: .relaxed)
        let end = written.load(ordering: .acquiring)
        guard end > position else { return nil }
        var number = marksRead.load(ordering: .relaxed)
        let count = marksWritten.load(ordering: .acquiring)
        // This finds the newest mark that is not behind the frame.
        while number &+ 1 < count, mark(number &+ 1).position <= position { number &+= 1 }
        marksRead.store(number, ordering: .releasing)
        guard number < count else { return nil }
        let start = mark(number)
        let offset = position &- start.position
        var length = end &- position
        var (next, endsAtGap) = (number &+ 1, false)
        while next < count {
            let following = mark(next)
            guard following.position < end else { break }
            if following.sampleTime != start.sampleTime &+ Int64(following.position &- start.position) {
                (length, endsAtGap) = (following.position &- position, true)
                break
            }
            next &+= 1
        }
        let time = TapMark(position: position, sampleTime: start.sampleTime &+ Int64(offset), hostTime: start.hostTime)
        return (time, Int(length), endsAtGap)
    }

    /// Copies the next `frameCount` frames out.
    func take(_ frameCount: Int, into block: AudioBlock) {
        let start = read.load(ordering: .relaxed)
        let position = Int(truncatingIfNeeded: start) & (capacity - 1)
        let first = min(frameCount, capacity - position)
        for channel in 0..<min(channelCount, block.channelCount) {
            let line = samples + channel * capacity
            block[channel].update(from: line + position, count: first)
            (block[channel] + first).update(from: line, count: frameCount - first)
        }
        // Release: the render thread may write there from now on.
        read.store(start + UInt64(frameCount), ordering: .releasing)
    }

    /// Skips the next frames.
    func skip(_ frameCount: Int) { read.store(read.load(ordering: .relaxed) + UInt64(frameCount), ordering: .releasing) }

    private func mark(_ number: UInt64) -> TapMark { marks[Int(truncatingIfNeeded: number) & (markCapacity - 1)] }
}
