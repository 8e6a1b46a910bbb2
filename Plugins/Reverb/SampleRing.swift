// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A ring of past samples, read and written sixteen at a time. Render thread.

import PluginSDK

/// One delay, or two while one fades into the other; in frames.
struct Delay {
    var now = 0
    var next = 0
}

/// Past samples by their time.
///
/// Sixteen samples on either side are stored twice, so that no access wraps around. A store may run ahead of the rendered time.
/// Such samples are overwritten before they are read, as long as every delay is at least `minimumDelay`.
struct SampleRing: ~Copyable {
    static var minimumDelay: Int { @_noLocks get { 17 } }

    private let memory: UnsafeMutablePointer<Float>
    private let count: Int

    /// `[control]` Allocates silence, for delays of up to `longestDelay` frames.
    init(longestDelay: Int) {
        var count = 64
        while count < longestDelay + 32 { count *= 2 }
        self.count = count
        memory = .allocate(capacity: count + 48)
        memory.initialize(repeating: 0, count: count + 48)
    }

    deinit { memory.deallocate() }

    /// The sixteen samples from `time` on.
    @inline(__always) @_noLocks func load(_ time: Int) -> Vector {
        UnsafeRawPointer(memory + 16 + (time & (count - 1))).loadUnaligned(as: Vector.self)
    }

    /// The sixteen samples `delay` before `time`, cross-faded by the share of the next delay.
    @inline(__always) @_noLocks func load(_ time: Int, before delay: Delay, _ crossfade: borrowing Crossfade) -> Vector {
        let now = load(time - delay.now)
        return crossfade.isActive ? now + (load(time - delay.next) - now) * crossfade.weights : now
    }

    @_noLocks func store(_ samples: Vector, at time: Int) {
        let index = time & (count - 1)
        put(samples, index)
        if index < 16 { put(samples, index + count) }
        if index > count - 16 { put(samples, index - count) }
    }

    @_noLocks private func put(_ samples: Vector, _ index: Int) {
        UnsafeMutableRawPointer(memory + 16 + index).storeBytes(of: samples, as: Vector.self)
    }

    @_noLocks func clear() {
        for index in 0..<(count + 48) { memory[index] = 0 }
    }
}
