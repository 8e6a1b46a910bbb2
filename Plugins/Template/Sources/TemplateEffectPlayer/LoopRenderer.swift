// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays the loop, and lets the present extension render it. Render thread.

import PluginHosting
import Rendering
import Synchronization

/// The state of the render thread, at one address as long as the driver runs.
struct LoopRenderer: ~Copyable {
    private let samples: UnsafeMutableBufferPointer<Float>
    private var position = 0
    /// Room for the present extension, and for the one that replaces it.
    private let extensions: UnsafeMutablePointer<PluginUnit.RenderBlock?>
    /// The index of the present extension.
    private let present = Atomic<Int>(0)

    /// `[control]` Takes a loop of one channel.
    ///
    /// Without an extension the loop passes unchanged.
    init(_ loop: [Float]) {
        samples = .allocate(capacity: loop.count)
        _ = samples.initialize(from: loop)
        extensions = .allocate(capacity: 2)
        extensions.initialize(repeating: nil, count: 2)
    }

    deinit {
        samples.deallocate()
        extensions.deallocate()
    }

    /// `[control]` Replaces the present extension, which may still render the current block.
    func replace(with renderBlock: PluginUnit.RenderBlock) {
        let other = 1 - present.load(ordering: .relaxed)
        extensions[other] = renderBlock
        // Release: a render thread that sees the new number also sees the new extension.
        present.store(other, ordering: .releasing)
    }

    /// `[render]` Renders one cycle: the loop in each channel, and the extension after it, in place.
    @_noLocks mutating func render(_ output: AudioBlock) {
        for frame in 0..<output.frameCount {
            for channel in 0..<output.channelCount { output[channel][frame] = samples[position] }
            position = position + 1 < samples.count ? position + 1 : 0
        }
        extensions[present.load(ordering: .acquiring)]?(output, into: output)
    }
}
