// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A compiled plan, and what it keeps alive. Control thread.

/// A compiled plan: immutable, and owner of everything that rendering it touches.
public final class RenderPlan: @unchecked Sendable {
    // SAFETY: nothing changes after init but the samples in the buffers, which one render thread at a time uses.
    let core: UnsafeMutablePointer<PlanCore>
    private let nodes: [any RenderNode]
    /// Frames by which what is played lags behind its source.
    public let latencyFrameCount: Int
    public let channelCount: Int
    public let maximumFrameCount: Int

    init(_ builder: RenderPlanBuilder, output: Int, latencyFrameCount: Int) {
        nodes = builder.steps.map(\.node)
        self.latencyFrameCount = latencyFrameCount
        channelCount = builder.channelCount
        maximumFrameCount = builder.maximumFrameCount
        core = .allocate(capacity: 1)
        core.initialize(to: PlanCore(builder, output: output))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }
}
