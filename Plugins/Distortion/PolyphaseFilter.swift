// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Doubles or halves the rate of a polyphase signal with a finite impulse response. Built on the control thread, run on the
// render thread.

import PluginSDK

/// A rate changer: for each output row, pairs of source samples that share a tap.
///
/// The filters are symmetric, so two samples are added before they are multiplied. The middle tap is halved, and has the same
/// sample twice. Zero taps are omitted, which is nearly half of a half-band filter.
///
/// Source: R. Crochiere and L. Rabiner, *Multirate Digital Signal Processing*, 1983, chapter 3.
struct PolyphaseFilter: ~Copyable {
    /// A tap, and the positions of its samples relative to frame 0 of the source.
    private struct Term {
        let earlier: Int
        let later: Int
        let tap: Float
    }

    private let rowCount: Int
    /// `rowCount` + 1 indices into `terms`: the start of each row, and the end of the last one.
    private let starts: UnsafeMutablePointer<Int>
    private let terms: UnsafeMutablePointer<Term>

    /// `[control]` Doubles the rate of `source`: y[2t + r] = 2 Σ h[2k + r] x[t − k].
    init(doubling source: borrowing PolyphaseBuffer, by design: LowPassDesign) {
        let count = source.phaseCount
        let rows = (0..<2 * count).map { row in
            stride(from: row % 2, to: design.taps.count, by: 2).map { (row / 2 - $0 / 2, design.taps[$0] * 2) }
        }
        self.init(rows, source)
    }

    /// `[control]` Halves the rate of `source`, delayed by `delay` of its samples: y[t] = Σ h[k] x[2t − k − delay].
    init(halving source: borrowing PolyphaseBuffer, by design: LowPassDesign, delay: Int = 0) {
        let rows = (0..<source.phaseCount / 2).map { row in
            design.taps.indices.map { (2 * row - $0 - delay, design.taps[$0]) }
        }
        self.init(rows, source)
    }

    private init(_ rows: [[(position: Int, tap: Double)]], _ source: borrowing PolyphaseBuffer) {
        let count = source.phaseCount
        let stride = source.stride
        func offset(_ position: Int) -> Int {
            let phase = ((position % count) + count) % count
            return phase * stride + (position - phase) / count
        }
        let all = rows.map { row in
            let taps = row.filter { $0.tap != 0 }
            let sum = taps.reduce(0) { $0 + $1.tap }
            return (0..<(taps.count + 1) / 2).map { index in
                let (later, earlier) = (taps[index], taps[taps.count - 1 - index])
                let tap = earlier.position == later.position ? later.tap / 2 : later.tap
                return Term(
                    earlier: offset(earlier.position), later: offset(later.position), tap: Float(tap / sum))
            }
        }
        rowCount = all.count
        starts = .allocate(capacity: rowCount + 1)
        terms = .allocate(capacity: all.reduce(0) { $0 + $1.count })
        starts[0] = 0
        for (row, list) in all.enumerated() {
            for (index, term) in list.enumerated() { (terms + starts[row] + index).initialize(to: term) }
            starts[row + 1] = starts[row] + list.count
        }
    }

    deinit {
        starts.deallocate()
        terms.deallocate()
    }

    /// `[render]` Filters the first frames of `source` into `target`, at most `PolyphaseBuffer.frameCapacity`.
    @_noLocks func run(from source: borrowing PolyphaseBuffer, to target: borrowing PolyphaseBuffer, frameCount: Int) {
        for row in 0..<rowCount {
            if frameCount > 16 {
                let (low, high) = convolve(source[0], row)
                target.store(low, phase: row, frame: 0)
                target.store(high, phase: row, frame: 16)
            } else {
                target.store(convolveHalf(source[0], row), phase: row, frame: 0)
            }
        }
    }

    /// Computes thirty-two frames at once: eight independent additions keep a processor busy.
    @inline(__always) @_noLocks private func convolve(_ samples: UnsafePointer<Float>, _ row: Int) -> (low: Vector, high: Vector) {
        var low = Vector(repeating: 0)
        var high = Vector(repeating: 0)
        for index in starts[row]..<starts[row + 1] {
            let term = terms[index]
            low += (Self.vector(samples + term.earlier) + Self.vector(samples + term.later)) * term.tap
            high += (Self.vector(samples + term.earlier + 16) + Self.vector(samples + term.later + 16)) * term.tap
        }
        return (low, high)
    }

    @_noLocks private func convolveHalf(_ samples: UnsafePointer<Float>, _ row: Int) -> Vector {
        var sum = Vector(repeating: 0)
        for index in starts[row]..<starts[row + 1] {
            let term = terms[index]
            sum += (Self.vector(samples + term.earlier) + Self.vector(samples + term.later)) * term.tap
        }
        return sum
    }

    @inline(__always) @_noLocks private static func vector(_ samples: UnsafePointer<Float>) -> Vector {
        UnsafeRawPointer(samples).loadUnaligned(as: Vector.self)
    }
}
