// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sets the levels of a source in bands of frequencies, which move. Render thread.

import Realtime

/// A split of a signal into up to eight bands, and their sum at a gain each.
///
/// Each split is that of Linkwitz and Riley of order 2: a low and a high band whose sum passes all frequencies. Bands below a split pass
/// its all-pass, too, so all bands have the same phase: magnitudes add up, and between two bands the level lies between theirs.
///
/// Source: S. Linkwitz, "Active Crossover Networks for Noncoincident Drivers" (JAES 24, 1976).
struct BandFilter {
    /// The bands; 0 and 1 need no filter.
    private(set) var count = 0
    /// The share of the new sample in each split.
    private var shares = InlineArray<8, Double>(repeating: 0)
    /// The two poles of each split, and that of its all-pass.
    private var first = InlineArray<8, Double>(repeating: 0)
    private var second = InlineArray<8, Double>(repeating: 0)
    private var below = InlineArray<8, Double>(repeating: 0)

    @_noLocks init() {}

    var isOn: Bool { @_noLocks get { count > 1 } }

    /// True if its tail would be heard in silence.
    var isRinging: Bool {
        @_noLocks get {
            for split in 0..<max(0, count &- 1) where first[split] != 0 || second[split] != 0 || below[split] != 0 { return true }
            return false
        }
    }

    /// Takes the bands of a directivity; nil for none.
    @_noLocks
    mutating func take(_ table: UnsafePointer<DirectivityTable.Core>?, sampleRate: Double) {
        guard let table, table.pointee.count > 1 else {
            count = 0
            return
        }
        count = table.pointee.count
        for split in 0..<count &- 1 {
            let hertz = Maths.sqrt(table.pointee.hertz[split] * table.pointee.hertz[split &+ 1])
            let warped = Maths.tan(Double.pi * min(0.49, hertz / sampleRate))
            shares[split] = warped / (1 + warped)
        }
    }

    @_noLocks
    mutating func forget() {
        for split in 0..<8 { (first[split], second[split], below[split]) = (0, 0, 0) }
    }

    /// Ends a tail below −240 dB.
    @_noLocks
    mutating func tidy() {
        var size = 0.0
        for split in 0..<max(0, count &- 1) { size = max(size, max(abs(first[split]), max(abs(second[split]), abs(below[split])))) }
        if !(size > 1e-12 && size < 1e30) { forget() }
    }

    /// Filters samples of a cell in place; the gains are values from `value` on.
    @_noLocks
    mutating func filter(
        _ samples: UnsafeMutablePointer<Float>, _ frameCount: Int, _ values: GlidingValues, _ value: Int, cellFrame: Int
    ) {
        guard isOn else { return }
        for frame in 0..<frameCount {
            let time = Float(cellFrame &+ frame)
            var rest = Double(samples[frame])
            var sum = 0.0
            for split in 0..<count &- 1 {
                let gain = Double(values.start[value &+ split] + values.step(value &+ split) * time)
                if split > 0 { sum = 2 * Self.low(sum, &below[split], shares[split]) - sum }
                let once = Self.low(rest, &first[split], shares[split])
                let twice = Self.low(once, &second[split], shares[split])
                sum += gain * twice
                rest = 2 * once - twice - rest
            }
            let last = value &+ count &- 1
            samples[frame] = Float(sum + Double(values.start[last] + values.step(last) * time) * rest)
        }
    }

    /// A low pass of one pole, exact at its corner.
    @inline(__always) @_noLocks
    private static func low(_ sample: Double, _ state: inout Double, _ share: Double) -> Double {
        let change = (sample - state) * share
        let output = state + change
        state = output + change
        return output
    }
}
