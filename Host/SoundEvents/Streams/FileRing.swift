// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The frames of a streamed asset on their way from the reading thread to the render thread. Both.

import CRealtimeShims
import Glibc
import LinuxSystem
import Realtime
import Synchronization

/// A ring of frames that one thread at a time writes, and the render thread reads.
///
/// Positions are frames of the file; those of a loop go on beyond its length. In real time a missing frame is silent, and the frames after it
/// keep their places. Offline the render thread waits for it, up to a limit.
struct FileRing: ~Copyable {
    let channelCount: Int
    /// The room in frames; a power of two.
    let capacity: Int
    private let samples: UnsafeMutablePointer<Float>
    let written = Atomic<Int>(0)
    let read = Atomic<Int>(0)
    /// The place to which the render thread has sought, and the number of the seek.
    let seekFrame = Atomic<Int>(0)
    let seekNumber = Atomic<UInt64>(0)
    /// The number of the seek after which the frames in the ring were written.
    let servedNumber = Atomic<UInt64>(0)
    /// The end of the file, if it comes before the one that its header states.
    let end = Atomic<Int>(.max)
    /// True if the file cannot be read on: the rest is silent.
    let hasFailed = Atomic<Bool>(false)
    private let bell: EventBell
    /// A futex word that no thread rings: offline, the render thread sleeps on it for a moment.
    private let quietWord: UnsafeMutablePointer<UInt32>

    /// The longest wait of the render thread offline, in nanoseconds.
    private static var patience: UInt64 { @_noLocks get { 30_000_000_000 } }

    /// `[control]` Allocates a ring of at most so many bytes; nil without memory.
    init?(channelCount: Int, byteCount: Int, bell: EventBell) {
        var capacity = 1024
        while 2 * capacity * channelCount * MemoryLayout<Float>.stride <= byteCount { capacity *= 2 }
        // The system provides the pages of this memory at their first write.
        guard let memory = calloc(channelCount * capacity, MemoryLayout<Float>.stride) else { return nil }
        samples = memory.bindMemory(to: Float.self, capacity: channelCount * capacity)
        (self.channelCount, self.capacity, self.bell) = (channelCount, capacity, bell)
        quietWord = .allocate(capacity: 1)
        quietWord.initialize(to: 0)
    }

    deinit {
        free(samples)
        quietWord.deallocate()
    }

    // MARK: Render thread

    /// Goes to a frame; what is in the ring is not heard any more.
    @_noLocks
    func seek(toFrame frame: Int) {
        seekFrame.store(frame, ordering: .relaxed)
        // Release: a thread that sees the number sees the place.
        seekNumber.wrappingAdd(1, ordering: .releasing)
        bell.ring()
    }

    /// Adds frames from `position` on to a silent block; returns the number of missing frames.
    @_noLocks
    func fill(_ block: AudioBlock, from position: Int, isOffline: Bool) -> Int {
        if isOffline { awaitFrames(position &+ block.frameCount) }
        let count = max(0, min(block.frameCount, end.load(ordering: .acquiring) &- position))
        guard isServed else { return count }
        // Acquire: the frames are complete.
        let there = max(0, min(count, written.load(ordering: .acquiring) &- position))
        let start = position & (capacity &- 1)
        let first = min(there, capacity &- start)
        for channel in 0..<channelCount {
            let (line, to) = (samples + channel &* capacity, block[channel])
            CRealtimeShims_copySamples(to, line + start, first)
            CRealtimeShims_copySamples(to + first, line, there &- first)
        }
        // Release: these frames may be written over.
        read.store(position &+ count, ordering: .releasing)
        return count &- there
    }

    private var isServed: Bool {
        // Acquire: the counts are those after the seek.
        @_noLocks get { servedNumber.load(ordering: .acquiring) == seekNumber.load(ordering: .relaxed) }
    }

    @_noLocks
    private func isThere(_ frame: Int) -> Bool {
        isServed && written.load(ordering: .acquiring) >= min(frame, end.load(ordering: .acquiring))
    }

    @_noLocks
    private func awaitFrames(_ frame: Int) {
        guard !isThere(frame) else { return }
        let deadline = MonotonicClock.now() &+ Self.patience
        while !isThere(frame), !hasFailed.load(ordering: .acquiring) {
            bell.ring()
            let now = MonotonicClock.now()
            guard now < deadline else { return }
            _ = Futex.wait(quietWord, while: 0, until: now &+ 100_000)
        }
    }

    // MARK: Reading thread

    /// The number of frames that can be written now.
    var room: Int {
        capacity - max(0, written.load(ordering: .relaxed) - read.load(ordering: .acquiring))
    }

    /// Begins anew after a seek.
    func serve(_ number: UInt64, at frame: Int) {
        written.store(frame, ordering: .relaxed)
        read.store(frame, ordering: .relaxed)
        // Release: the render thread sees the counts with it.
        servedNumber.store(number, ordering: .releasing)
    }

    /// Writes frames of a block; the caller has checked `room`.
    func write(_ block: AudioBlock, _ count: Int) {
        let end = written.load(ordering: .relaxed)
        let place = end & (capacity - 1)
        let first = min(count, capacity - place)
        for channel in 0..<min(channelCount, block.channelCount) {
            let (line, from) = (samples + channel * capacity, block[channel])
            (line + place).update(from: from, count: first)
            line.update(from: from + first, count: count - first)
        }
        // Release: a thread that sees the count sees the frames.
        written.store(end + count, ordering: .releasing)
    }
}
