// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The frames of a scheduled file on their way from the threads that read it to the render thread. Both.

import CRealtimeShims
import Glibc
import LinuxSystem
import Realtime
import Rendering
import Synchronization

/// What one reading thread at a time writes, and the render thread reads.
///
/// All counts are frames of the scheduled piece, at the player's rate. In real time a frame that is not there yet is silence, and is counted.
/// Offline the render thread waits for it, up to a limit.
struct FileFrames: ~Copyable {
    private let inPlace = InPlace()
    let channelCount: Int
    /// Frames; a power of two.
    let capacity: Int
    private let samples: UnsafeMutablePointer<Float>
    /// The length of the piece, which shrinks when the file ends early.
    let length: Atomic<Int>
    let written = Atomic<Int>(0)
    let read = Atomic<Int>(0)
    /// Whether the player has gone past the piece, or never will play it.
    let isOver = Atomic<Bool>(false)
    /// The most frames that the player has taken at a time.
    let demand = Atomic<Int>(0)
    /// Whether the render thread waits.
    let isAwaited = Atomic<Bool>(false)
    private let bell: EventBell
    /// Nothing ever rings it: the render thread sleeps on it offline for a moment.
    private let quietWord: UnsafeMutablePointer<UInt32>

    /// Nanoseconds for which the render thread waits offline.
    private static var patience: UInt64 { @_noLocks get { 30_000_000_000 } }

    /// Nil without memory; `bell` wakes the threads that read.
    init?(channelCount: Int, length: Int, sampleRate: Double, bell: EventBell) {
        var capacity = 4096
        while capacity < length, Double(capacity) < 2 * sampleRate { capacity *= 2 }
        // The system provides pages as they are first written.
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

    /// Copies `count` frames from `position` on; returns how many of them are missing.
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

    /// The player has come to a frame.
    @_noLocks func advance(to position: Int) { read.store(position, ordering: .releasing) }

    // MARK: Reading threads

    /// The frames that are ready and have not been played.
    var ahead: Int { max(0, written.load(ordering: .relaxed) - read.load(ordering: .acquiring)) }

    /// The frames that can be written now.
    var room: Int {
        let (end, start) = (written.load(ordering: .relaxed), read.load(ordering: .acquiring))
        return min(length.load(ordering: .relaxed) - end, capacity - max(0, end - start))
    }

    /// Writes `count` frames of a block from `start` on; there is room.
    func write(_ block: AudioBlock, from start: Int, _ count: Int) {
        let end = written.load(ordering: .relaxed)
        let place = end & (capacity - 1)
        let first = min(count, capacity - place)
        for channel in 0..<min(channelCount, block.channelCount) {
            let (line, from) = (samples + channel * capacity, block[channel] + start)
            (line + place).update(from: from, count: first)
            line.update(from: from + first, count: count - first)
        }
        // Release: who sees the count sees the frames.
        written.store(end + count, ordering: .releasing)
    }

    /// The piece has fewer frames than it was to have.
    func shorten(to count: Int) {
        length.store(max(written.load(ordering: .relaxed), min(count, length.load(ordering: .relaxed))), ordering: .releasing)
    }
}
