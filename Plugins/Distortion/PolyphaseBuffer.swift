// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Oversampled audio, one row of base-rate samples for each phase, with some past. Render thread.

import PluginSDK

/// The unit of arithmetic: sixteen neighbouring frames of one phase.
typealias Vector = SIMD16<Float>

/// A stretch of a signal at `phaseCount` times the sample rate, split into its phases.
///
/// Sample t of the fast signal is frame t / `phaseCount` of row t mod `phaseCount`. So every step works on rows of neighbours,
/// and no sample is ever interleaved.
struct PolyphaseBuffer: ~Copyable {
    /// The most frames between two calls of `advance`.
    static var frameCapacity: Int { @_noLocks get { 32 } }

    let phaseCount: Int
    let historyCount: Int
    let stride: Int
    private let storage: UnsafeMutablePointer<Float>

    /// `[control]` Allocates silence, with at least `historyCount` frames of past in each row.
    init(phaseCount: Int, historyCount: Int) {
        self.phaseCount = phaseCount
        self.historyCount = (historyCount + 15) & ~15
        stride = self.historyCount + Self.frameCapacity + 16
        storage = UnsafeMutableRawPointer.allocate(byteCount: phaseCount * stride * 4, alignment: 64)
            .bindMemory(to: Float.self, capacity: phaseCount * stride)
        storage.initialize(repeating: 0, count: phaseCount * stride)
    }

    deinit { storage.deallocate() }

    /// Frame 0 of a row; `historyCount` frames lie before it.
    subscript(phase: Int) -> UnsafeMutablePointer<Float> {
        @_noLocks get { storage + phase * stride + historyCount }
    }

    /// Sixteen frames of a row, from any frame on.
    @_noLocks func load(phase: Int, frame: Int) -> Vector {
        UnsafeRawPointer(self[phase] + frame).loadUnaligned(as: Vector.self)
    }

    @_noLocks func store(_ vector: Vector, phase: Int, frame: Int) {
        UnsafeMutableRawPointer(self[phase] + frame).storeBytes(of: vector, as: Vector.self)
    }

    /// Makes frame `frameCount` the next frame 0.
    @_noLocks func advance(by frameCount: Int) {
        for phase in 0..<phaseCount {
            for frame in Swift.stride(from: -historyCount, to: 0, by: 16) {
                store(load(phase: phase, frame: frame + frameCount), phase: phase, frame: frame)
            }
        }
    }

    @_noLocks func clear() {
        for index in 0..<(phaseCount * stride) { storage[index] = 0 }
    }
}
