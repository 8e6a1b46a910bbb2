// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Measures the steps from one sample to the next, before and after a chain. Render thread; the control thread reads it.

import Realtime
import Rendering
import Synchronization

/// The largest steps of a chain's input and of its output.
///
/// Units with a gain of at most 1 make no larger step than their input has. A larger one is due to a transition, which may add
/// −60 dBFS for each unit that comes or goes.
final class StepEar: Sendable {
    static let allowance: Float = 0.001
    let before = StepMeter()
    let after = StepMeter()
    let unitCount: Int

    init(unitCount: Int) { self.unitCount = unitCount }

    /// The largest step of the output beyond the input's, as a share of what is permitted.
    var excess: Float { (after.largestStep - before.largestStep) / (Self.allowance * Float(unitCount)) }
}

/// Passes a signal on and measures it.
final class StepMeter: RenderNode {
    struct Core: ~Copyable {
        let largest = Atomic<UInt32>(0)
        /// The last frame.
        ///
        /// It lies at an address of its own, so that `render` can write it without mutating the core.
        private let last: UnsafeMutablePointer<(Float, Float)?>

        init() {
            last = .allocate(capacity: 1)
            last.initialize(to: nil)
        }

        deinit { last.deallocate() }

        @_noLocks
        func render(_ input: AudioBlock, _ output: AudioBlock) {
            output.copy(from: input)
            guard input.channelCount == 2, input.frameCount > 0 else { return }
            var step = Float(bitPattern: largest.load(ordering: .relaxed))
            // The signal before the first cycle is unknown.
            var previous = last.pointee ?? (input[0][0], input[1][0])
            for frame in 0..<input.frameCount {
                let samples = (input[0][frame], input[1][frame])
                let here = max(abs(samples.0 - previous.0), abs(samples.1 - previous.1))
                // NaN and infinity count as the worst step.
                step = here <= step ? step : here.isFinite ? here : .infinity
                previous = samples
            }
            last.pointee = previous
            largest.store(step.bitPattern, ordering: .relaxed)
        }
    }

    // SAFETY: only the render thread uses the core; the control thread reads the atomic.
    nonisolated(unsafe) private let core: UnsafeMutablePointer<Core>

    init() {
        core = .allocate(capacity: 1)
        core.initialize(to: Core())
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }

    var largestStep: Float { Float(bitPattern: core.pointee.largest.load(ordering: .relaxed)) }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            StepMeter.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        context.assumingMemoryBound(to: Core.self).pointee.render(call.input, call.output)
    }
}
