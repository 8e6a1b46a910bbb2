// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Hears the steps from one sample to the next, before a chain and after it. Render thread; read by the control thread.

import Realtime
import Rendering
import Synchronization

/// The largest steps of what goes into a chain of units and of what comes out.
///
/// Units whose gain is at most 1 make no step larger than what they hear does. What is more is a transition's, which may
/// add −60 dBFS for each unit that comes or goes.
final class StepEar: Sendable {
    static let allowance: Float = 0.001
    let before = StepMeter()
    let after = StepMeter()
    let unitCount: Int

    init(unitCount: Int) { self.unitCount = unitCount }

    /// The largest step that came out beyond the largest that went in, as a share of what is permitted.
    var excess: Float { (after.largestStep - before.largestStep) / (Self.allowance * Float(unitCount)) }
}

/// Passes a signal on and measures it.
final class StepMeter: RenderNode {
    struct Core: ~Copyable {
        let largest = Atomic<UInt32>(0)
        /// The last frame. At an address of its own, so that nobody needs the whole for writing it.
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
            // Of what begins with the first cycle nothing is known before.
            var previous = last.pointee ?? (input[0][0], input[1][0])
            for frame in 0..<input.frameCount {
                let samples = (input[0][frame], input[1][frame])
                let here = max(abs(samples.0 - previous.0), abs(samples.1 - previous.1))
                // What is no number is the worst step of all.
                step = here <= step ? step : here.isFinite ? here : .infinity
                previous = samples
            }
            last.pointee = previous
            largest.store(step.bitPattern, ordering: .relaxed)
        }
    }

    // SAFETY: the render thread uses the core; the control thread reads the atomic.
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
        let call = call.assumingMemoryBound(to: StepCall.self).pointee
        context.assumingMemoryBound(to: Core.self).pointee.render(call.input, call.output)
    }
}
