// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The first echoes from the walls, and the pre-delay before everything. Render thread.

import PluginSDK

/// One pre-delay line for each side, and taps on both for each ear.
struct EarlyReflections: ~Copyable {
    private let left: SampleRing
    private let right: SampleRing
    private let reflections: UnsafeMutablePointer<Reflection>
    private let delays: UnsafeMutablePointer<Delay>
    private var preDelay = Delay()
    private static var setCount: Int { @_noLocks get { 4 * ImageSources.pathCount } }

    /// `[control]` Allocates for crossings and pre-delays of up to these numbers of frames.
    init(longestCrossing: Int, longestPreDelay: Int) {
        let longest = longestCrossing * 3 + longestPreDelay + 64
        left = SampleRing(longestDelay: longest)
        right = SampleRing(longestDelay: longest)
        reflections = .allocate(capacity: Self.setCount)
        delays = .allocate(capacity: Self.setCount)
        delays.initialize(repeating: Delay(), count: Self.setCount)
        let all = [(0, 0), (1, 0), (0, 1), (1, 1)].flatMap { ImageSources.reflections(speaker: $0.0, ear: $0.1) }
        for (index, reflection) in all.enumerated() { (reflections + index).initialize(to: reflection) }
    }

    deinit {
        reflections.deallocate()
        delays.deallocate()
    }

    /// Sets the delays for another room, the target of a cross-fade.
    @_noLocks mutating func resize(crossing: Float, preDelay frames: Int) {
        preDelay.next = frames
        for index in 0..<Self.setCount {
            delays[index].next = frames + Int(crossing * reflections[index].lateness)
        }
    }

    @_noLocks mutating func settle() {
        preDelay.now = preDelay.next
        for index in 0..<Self.setCount { delays[index].now = delays[index].next }
    }

    @_noLocks func store(_ leftInput: Vector, _ rightInput: Vector, at time: Int) {
        left.store(leftInput, at: time)
        right.store(rightInput, at: time)
    }

    /// The output of the pre-delay, which is the input of the late reverberation.
    @_noLocks func delayed(isRight: Bool, at time: Int, _ crossfade: borrowing Crossfade) -> Vector {
        isRight ? right.load(time, before: preDelay, crossfade) : left.load(time, before: preDelay, crossfade)
    }

    /// The reflections of both sides at one ear.
    @_noLocks func heard(isRight: Bool, at time: Int, _ crossfade: borrowing Crossfade) -> Vector {
        let start = isRight ? 2 * ImageSources.pathCount : 0
        var sum = Vector(repeating: 0)
        for index in start..<start + ImageSources.pathCount {
            sum += left.load(time, before: delays[index], crossfade) * reflections[index].gain
        }
        for index in start + ImageSources.pathCount..<start + 2 * ImageSources.pathCount {
            sum += right.load(time, before: delays[index], crossfade) * reflections[index].gain
        }
        return sum
    }

    @_noLocks mutating func reset() {
        left.clear()
        right.clear()
        settle()
    }
}
