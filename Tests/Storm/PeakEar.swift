// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Measures how loud the mix becomes, and whether it is a signal at all. Render thread; the control thread reads it.

import Realtime
import Rendering
import Synchronization

/// Passes a signal on and keeps its largest magnitude; infinite after NaN or infinity.
final class PeakEar: RenderNode {
    // SAFETY: both threads use only the atomic.
    nonisolated(unsafe) private let core: UnsafeMutablePointer<Atomic<UInt32>>

    init() {
        core = .allocate(capacity: 1)
        core.initialize(to: Atomic(0))
    }

    deinit { core.deallocate() }

    var peak: Float { Float(bitPattern: core.pointee.load(ordering: .relaxed)) }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            PeakEar.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        let core = context.assumingMemoryBound(to: Atomic<UInt32>.self)
        call.output.copy(from: call.input)
        var peak = Float(bitPattern: core.pointee.load(ordering: .relaxed))
        for channel in 0..<call.input.channelCount {
            for frame in 0..<call.input.frameCount {
                let level = abs(call.input[channel][frame])
                peak = level <= peak ? peak : level.isFinite ? level : .infinity
            }
        }
        core.pointee.store(peak.bitPattern, ordering: .relaxed)
    }
}
