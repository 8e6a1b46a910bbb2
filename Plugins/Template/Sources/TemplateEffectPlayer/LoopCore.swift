// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the render thread uses: the loop, and the extension that it goes through. Render thread; the main thread changes both.

import PluginHosting
import Rendering
import Synchronization

/// The loop, where it is, and the extension that renders it.
struct LoopCore: ~Copyable {
    private let loop = Atomic<UnsafePointer<LoopSamples>?>(nil)
    private let renderBlock = Atomic<UnsafePointer<PluginUnit.RenderBlock>?>(nil)
    /// Where in the loop the next block begins; the render thread's alone.
    private let position: UnsafeMutablePointer<Int>

    init() {
        position = .allocate(capacity: 1)
        position.initialize(to: 0)
    }

    deinit { position.deallocate() }

    /// Plays samples from the next cycle on; they must outlive the core.
    func play(_ samples: LoopSamples) { loop.store(Self.kept(samples), ordering: .releasing) }

    /// Renders with an extension from the next cycle on.
    func use(_ block: PluginUnit.RenderBlock) { renderBlock.store(Self.kept(block), ordering: .releasing) }

    /// The value at an address for good: a few bytes for each extension.
    private static func kept<Value>(_ value: Value) -> UnsafePointer<Value> {
        let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        pointer.initialize(to: value)
        return UnsafePointer(pointer)
    }

    /// Renders one cycle: the extension asks for the loop's next frames.
    ///
    /// The compiler checks that nothing here allocates or locks.
    @_noLocks
    func render(_ cycle: RenderCycle) {
        guard let loop = loop.load(ordering: .acquiring), let render = renderBlock.load(ordering: .acquiring) else {
            return cycle.outputs.silence()
        }
        let position = position
        render.pointee(into: cycle.outputs) { block in
            position.pointee = loop.pointee.fill(block, from: position.pointee)
        }
    }
}

/// Samples that are played again and again, the same in each channel.
struct LoopSamples: @unchecked Sendable {
    // SAFETY: nothing writes to the memory any more.
    let samples: UnsafePointer<Float>
    let frameCount: Int

    /// Fills a block from a position on; the position after it.
    @_noLocks
    func fill(_ block: AudioBlock, from start: Int) -> Int {
        var position = start
        for frame in 0..<block.frameCount {
            for channel in 0..<block.channelCount { block[channel][frame] = samples[position] }
            position += 1
            if position == frameCount { position = 0 }
        }
        return position
    }
}
