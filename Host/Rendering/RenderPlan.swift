// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A compiled plan, and what it keeps alive. Control thread.

/// A compiled plan: immutable, and owner of all that rendering it uses.
public final class RenderPlan: @unchecked Sendable {
    // SAFETY: after init only the core's working memory changes, and one render thread at a time uses that.
    let core: UnsafeMutablePointer<PlanCore>
    private let nodes: [any RenderNode]
    /// The frames by which the output lags behind its source.
    public let latencyFrameCount: Int
    /// The channels of every signal.
    public let channelCount: Int
    /// The longest cycle in frames; a longer one is silent.
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
