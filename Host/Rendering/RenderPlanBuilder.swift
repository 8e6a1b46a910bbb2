// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Compiles a render plan: which nodes run in which order, on which signals. Control thread.

import Realtime

/// An audio signal inside a plan: the output of one node.
public struct Signal: Hashable, Sendable {
    let index: Int
}

/// Puts a plan together, node by node, in the order in which they run.
///
/// `[control]` throughout.
public struct RenderPlanBuilder {
    struct Step {
        let node: any RenderNode
        /// The signal that it reads; nil for the driver's inputs.
        let input: Int?
        let output: Int
    }

    let channelCount: Int
    let maximumFrameCount: Int
    private(set) var steps: [Step] = []
    private(set) var signalCount = 0
    private var latencies: [Int] = []

    /// An empty plan.
    ///
    /// Every signal has `channelCount` channels. A cycle asks for at most `maximumFrameCount` frames.
    public init(channelCount: Int, maximumFrameCount: Int) {
        self.channelCount = channelCount
        self.maximumFrameCount = maximumFrameCount
    }

    /// Adds a node that reads the driver's inputs, or nothing.
    public mutating func add(source node: any RenderNode) -> Signal { add(node, input: nil) }

    /// Adds a node that reads `signal`.
    public mutating func add(_ node: any RenderNode, after signal: Signal) -> Signal { add(node, input: signal.index) }

    /// Adds a mixer that sums `signals`, each through a strip of its own.
    ///
    /// Signals beyond the mixer's strips are left out.
    public mutating func add(_ mixer: Mixer, of signals: [Signal]) -> Signal {
        let output = newSignal(latency: signals.map { latencies[$0.index] }.max() ?? 0)
        for (index, signal) in signals.enumerated() where index < mixer.strips.count {
            steps.append(Step(node: mixer.strips[index], input: signal.index, output: output.index))
        }
        return output
    }

    /// Completes the plan; `signal` is what the driver plays.
    ///
    /// It changes nothing. It is mutating because `plan(output: add(…))` would otherwise use the builder as it
    /// was before its argument added a node.
    public mutating func plan(output signal: Signal) -> RenderPlan {
        RenderPlan(self, output: signal.index, latencyFrameCount: latencies[signal.index])
    }

    private mutating func add(_ node: any RenderNode, input: Int?) -> Signal {
        let signal = newSignal(latency: (input.map { latencies[$0] } ?? 0) + node.latencyFrameCount)
        steps.append(Step(node: node, input: input, output: signal.index))
        return signal
    }

    private mutating func newSignal(latency: Int) -> Signal {
        latencies.append(latency)
        signalCount += 1
        return Signal(index: signalCount - 1)
    }
}
