// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The frames of a scheduled file on their way from the reading threads to the render thread. Both.

import CRealtimeShims
import Glibc
import LinuxSystem
import Realtime
import Rendering
import Synchronization

/// A ring of frames that one reading thread at a time writes, and the render thread reads.
///
/// All counts are frames of the scheduled piece, at the player's rate. In real time a missing frame is played as silence, and counted.
/// Offline the render thread waits for it, up to a limit.
struct FileFrames: ~Copyable {
    private let inPlace = InPlace()
    let channelCount: Int
    /// The capacity in frames; a power of two.
    let capacity: Int
    private let samples: UnsafeMutablePointer<Float>
    /// The length of the piece in frames; it shrinks if the file ends early.
    let length: Atomic<Int>
    let written = Atomic<Int>(0)
    let read = Atomic<Int>(0)
    /// True if the player has gone past the piece, or never will play it.
    let isOver = Atomic<Bool>(false)
    /// The largest number of frames that the player has taken at once.
    let demand = Atomic<Int>(0)
    /// True while the render thread waits.
    let isAwaited = Atomic<Bool>(false)
    private let bell: EventBell
    /// A futex word that no thread rings: offline, the render thread sleeps on it for a moment.
    private let quietWord: UnsafeMutablePointer<UInt32>

    /// The longest wait of the render thread offline, in nanoseconds.
    private static var patience: UInt64 { @_noLocks get { 30_000_000_000 } }

    /// Returns nil without memory; `bell` wakes the threads that read.
    init?(channelCount: Int, length: Int, sampleRate: Double, bell: EventBell) {
        var capacity = 4096
        while capacity < length, Double(capacity) < 2 * sampleRate { capacity *= 2 }
        // The system provides the pages of this memory at their first write.
        guard let memory = calloc(max(1, channelCount * capacity), MemoryLayout<Float>.stride) else { return nil }
        samples = memory.bindMemory(to: Float.self, capacity: max(1, channelCount * capacity))
        self.channelCount = channelCount
        self.capacity = capacity
        self.length = Atomic(length)
        self.bell = bell
        quietWord = .allocate(capacity: 1)
        quietWord.initialize(to: 0)
    }

    deinit {
        free(samples)
        quietWord.deallocate()
    }

    // MARK: Render thread

    /// Copies `count` frames from `position` on; returns the number of missing frames.
    @_noLocks
    func copy(from position: Int, _ count: Int, to output: AudioBlock, at frame: Int, isOffline: Bool) -> Int {
        if count > demand.load(ordering: .relaxed) { demand.store(count, ordering: .relaxed) }
        var end = written.load(ordering: .acquiring)
        if end < position &+ count, isOffline { end = awaitFrames(position &+ count) }
        let there = max(0, min(count, end &- position))
        let start = position & (capacity &- 1)
        let first = min(there, capacity &- start)
        for channel in 0..<output.channelCount where channel < channelCount {
            let (line, to) = (samples + channel &* capacity, output[channel] + frame)
            CRealtimeShims_copySamples(to, line + start, first)
            CRealtimeShims_copySamples(to + first, line, there &- first)
        }
        return min(count, length.load(ordering: .relaxed) &- position) &- there
    }

    @_noLocks
    private func awaitFrames(_ wanted: Int) -> Int {
        let deadline = MonotonicClock.now() &+ Self.patience
        isAwaited.store(true, ordering: .releasing)
        bell.ring()
        var end = written.load(ordering: .acquiring)
        while end < wanted, end < length.load(ordering: .acquiring), !isOver.load(ordering: .acquiring) {
            let now = MonotonicClock.now()
            guard now < deadline else { break }
            _ = Futex.wait(quietWord, while: 0, until: now &+ 100_000)
            end = written.load(ordering: .acquiring)
        }
        isAwaited.store(false, ordering: .releasing)
        return end
    }

    /// Notes that the player has come to a frame.
    @_noLocks func advance(to position: Int) { read.store(position, ordering: .releasing) }

    // MARK: Reading threads

    /// The number of frames that are ready and not yet played.
    var ahead: Int { max(0, written.load(ordering: .relaxed) - read.load(ordering: .acquiring)) }

    /// The number of frames that can be written now.
    var room: Int {
        let (end, start) = (written.load(ordering: .relaxed), read.load(ordering: .acquiring))
        return min(length.load(ordering: .relaxed) - end, capacity - max(0, end - start))
    }

    /// Writes `count` frames of a block from `start` on; the caller has checked `room`.
    func write(_ block: AudioBlock, from start: Int, _ count: Int) {
        let end = written.load(ordering: .relaxed)
        let place = end & (capacity - 1)
        let first = min(count, capacity - place)
        for channel in 0..<min(channelCount, block.channelCount) {
            let (line, from) = (samples + channel * capacity, block[channel] + start)
            (line + place).update(from: from, count: first)
            line.update(from: from + first, count: count - first)
        }
        // Release: a thread that sees the count sees the frames.
        written.store(end + count, ordering: .releasing)
    }

    /// Shortens a piece that has fewer frames than expected.
    func shorten(to count: Int) {
        length.store(max(written.load(ordering: .relaxed), min(count, length.load(ordering: .relaxed))), ordering: .releasing)
    }
}
