// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Doubles or halves the rate of a polyphase signal by a finite impulse response. Built on the control thread, run on the
// render thread.

import PluginSDK

/// A rate changer: for each output row, a list of taps and of their positions in the source.
///
/// It leaves out taps that are zero, which is nearly half of a half-band filter's. Source: R. Crochiere and L. Rabiner,
/// *Multirate Digital Signal Processing*, 1983, chapter 3.
struct PolyphaseFilter: ~Copyable {
    private let rowCount: Int
    /// `rowCount` + 1 indices into `taps` and `offsets`: where each row begins, and where the last one ends.
    private let starts: UnsafeMutablePointer<Int>
    private let taps: UnsafeMutablePointer<Float>
    private let offsets: UnsafeMutablePointer<Int>

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
        let rows = rows.map { $0.filter { $0.tap != 0 } }
        let count = source.phaseCount
        let stride = source.stride
        rowCount = rows.count
        starts = .allocate(capacity: rowCount + 1)
        taps = .allocate(capacity: rows.reduce(0) { $0 + $1.count })
        offsets = .allocate(capacity: rows.reduce(0) { $0 + $1.count })
        starts[0] = 0
        for (row, terms) in rows.enumerated() {
            let sum = terms.reduce(0) { $0 + $1.tap }
            for (index, term) in terms.enumerated() {
                let phase = ((term.position % count) + count) % count
                taps[starts[row] + index] = Float(term.tap / sum)
                offsets[starts[row] + index] = phase * stride + (term.position - phase) / count
            }
            starts[row + 1] = starts[row] + terms.count
        }
    }

    deinit {
        starts.deallocate()
        taps.deallocate()
        offsets.deallocate()
    }

    /// `[render]` Filters the first `frameCount` frames of `source` into `target`.
    @_noLocks func run(from source: borrowing PolyphaseBuffer, to target: borrowing PolyphaseBuffer, frameCount: Int) {
        for row in 0..<rowCount {
            for frame in stride(from: 0, to: frameCount, by: 16) {
                target.store(convolve(source[0] + frame, row: row), phase: row, frame: frame)
            }
        }
    }

    @_noLocks private func convolve(_ samples: UnsafePointer<Float>, row: Int) -> Vector {
        var sum = Vector(repeating: 0)
        for index in starts[row]..<starts[row + 1] {
            let term = UnsafeRawPointer(samples + offsets[index]).loadUnaligned(as: Vector.self)
            sum += term * taps[index]
        }
        return sum
    }
}
