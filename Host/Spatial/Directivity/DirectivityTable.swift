// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A directivity in memory without references. Made on the control thread; the render thread reads it.

import Glibc
import Realtime

/// The shapes of a directivity, which never change.
final class DirectivityTable: Sendable {
    /// A shape as numbers.
    struct ShapeCore {
        private let isCone: Bool
        /// The pattern and the sharpness, or the cosines of half the inner and half the outer angle.
        private let first: Double
        private let second: Double
        private let outerGain: Double

        init(_ shape: SpatialDirectivity.Shape) {
            switch shape {
            case .cardioid(let pattern, let sharpness):
                (isCone, first, second, outerGain) = (false, max(0, min(1, pattern)), max(1, sharpness), 0)
            case .cone(let inner, let outer, let gain):
                let inner = max(0, min(360, inner))
                let outer = max(inner, min(360, outer))
                (isCone, first, second) = (true, cos(inner * .pi / 360), cos(outer * .pi / 360))
                outerGain = max(0, min(1, gain))
            }
        }

        /// `[render]` The level at an angle, from its cosine.
        @_noLocks
        func gain(_ cosine: Double) -> Double {
            guard isCone else {
                let base = abs(1 - first + first * cosine)
                return second == 1 ? base : Maths.pow(base, second)
            }
            if cosine >= first { return 1 }
            guard cosine > second, first > second else { return outerGain }
            return outerGain + (1 - outerGain) * (cosine - second) / (first - second)
        }
    }

    struct Core {
        let shapes: UnsafeMutablePointer<ShapeCore>
        let hertz: UnsafeMutablePointer<Double>
        let count: Int

        /// `[render]` The level at all frequencies; 1 for several bands, which a filter sets.
        @_noLocks
        func level(_ cosine: Double) -> Double { count == 1 ? shapes[0].gain(cosine) : 1 }
    }

    // SAFETY: the memory does not change after init.
    nonisolated(unsafe) let core: UnsafeMutablePointer<Core>

    init(_ directivity: SpatialDirectivity) {
        let count = directivity.bands.count
        let core = Core(shapes: .allocate(capacity: count), hertz: .allocate(capacity: count), count: count)
        for (index, band) in directivity.bands.enumerated() {
            (core.shapes + index).initialize(to: ShapeCore(band.shape))
            (core.hertz + index).initialize(to: band.hertz)
        }
        self.core = .allocate(capacity: 1)
        self.core.initialize(to: core)
    }

    deinit {
        core.pointee.shapes.deallocate()
        core.pointee.hertz.deallocate()
        core.deallocate()
    }
}
