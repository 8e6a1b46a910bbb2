// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Late reverberation: sixteen delay lines that feed each other. Built on the control thread, run on the render thread.

import PluginSDK

/// A feedback delay network after J.-M. Jot: delays, absorption, orthogonal mixing.
///
/// The lengths are primes, spaced geometrically from half of to one and three quarter times the time that sound takes
/// across the room: sums of two lengths then hardly coincide.
struct FeedbackDelayNetwork: ~Copyable {
    static var lineCount: Int { @_noLocks get { 16 } }
    /// Lengths of the shortest and the longest line, in crossings of the room.
    private static var shortest: Float { @_noLocks get { 0.31 } }
    private static var longest: Float { @_noLocks get { 1.13 } }
    /// Which of the mixed signals are heard left and right.
    private static var leftTap: Int { @_noLocks get { 5 } }
    private static var rightTap: Int { @_noLocks get { 10 } }

    private let lines: UnsafeMutablePointer<SampleRing>
    private let lengths: UnsafeMutablePointer<Delay>
    /// Sixteen frames of every line, line by line.
    private let frames: UnsafeMutablePointer<Float>
    var absorption: AbsorptionFilters
    var matrix = FeedbackMatrix()
    private let leftInput: Vector
    private let rightInput: Vector

    /// `[control]` For crossings of up to `longestCrossing` frames.
    init(sampleRate: Double, longestCrossing: Int) {
        absorption = AbsorptionFilters(sampleRate: sampleRate)
        lines = .allocate(capacity: Self.lineCount)
        lengths = .allocate(capacity: Self.lineCount)
        frames = .allocate(capacity: Self.lineCount * 16)
        lengths.initialize(repeating: Delay(), count: Self.lineCount)
        frames.initialize(repeating: 0, count: Self.lineCount * 16)
        let longest = Int(Float(longestCrossing) * Self.longest) + 400
        for line in 0..<Self.lineCount { (lines + line).initialize(to: SampleRing(longestDelay: longest)) }
        let share = Float(0.125).squareRoot()
        leftInput = Vector((0..<16).map { $0 % 2 == 0 ? ($0 % 4 == 0 ? share : -share) : 0 })
        rightInput = Vector((0..<16).map { $0 % 2 == 1 ? ($0 % 3 == 0 ? -share : share) : 0 })
    }

    deinit {
        lines.deinitialize(count: Self.lineCount).deallocate()
        lengths.deallocate()
        frames.deallocate()
    }

    /// `[render]` Takes lengths for another room, to be faded to.
    @_noLocks func resize(crossing: Float) {
        let ratio = Maths.log2(Self.longest / Self.shortest) / Float(Self.lineCount - 1)
        var least = SampleRing.minimumDelay
        for line in 0..<Self.lineCount {
            let wanted = Int(crossing * Self.shortest * Maths.exp2(ratio * Float(line)))
            lengths[line].next = Self.prime(from: max(wanted, least))
            least = lengths[line].next + 1
        }
    }

    /// `[render]` The cross-fade has ended.
    @_noLocks func settle() {
        for line in 0..<Self.lineCount { lengths[line].now = lengths[line].next }
    }

    /// `[render]` Sets the decay, and returns the gain that keeps the sound as loud as it comes in.
    @_noLocks mutating func tune(_ decay: DecayTimes) -> Float {
        var kept: Float = 0
        for line in 0..<Self.lineCount {
            kept += absorption.tune(line: line, length: lengths[line].next, decay)
        }
        let lost = max(1e-6, 1 - kept / Float(Self.lineCount))
        return Maths.exp2(0.5 * Maths.log2(8 * lost))
    }

    /// `[render]` At most sixteen frames; `left` and `right` go in, and come out as reverberation.
    @_noLocks mutating func render(
        _ left: inout Vector, _ right: inout Vector, at time: Int, _ crossfade: borrowing Crossfade, _ frameCount: Int
    ) {
        for line in 0..<Self.lineCount {
            let past = lines[line].load(time, before: lengths[line], crossfade)
            UnsafeMutableRawPointer(frames + line * 16).storeBytes(of: past, as: Vector.self)
        }
        for frame in 0..<frameCount {
            let mixed = matrix.next(absorption.next(gather(frame)))
            scatter(mixed + leftInput * left[frame] + rightInput * right[frame], frame)
            left[frame] = mixed[Self.leftTap]
            right[frame] = mixed[Self.rightTap]
        }
        for line in 0..<Self.lineCount {
            let new = UnsafeRawPointer(frames + line * 16).load(as: Vector.self)
            lines[line].store(new, at: time)
        }
    }

    @inline(__always) @_noLocks private func gather(_ frame: Int) -> Vector {
        var vector = Vector(repeating: 0)
        for line in 0..<16 { vector[line] = frames[line * 16 + frame] }
        return vector
    }

    @inline(__always) @_noLocks private func scatter(_ vector: Vector, _ frame: Int) {
        for line in 0..<16 { frames[line * 16 + frame] = vector[line] }
    }

    @_noLocks mutating func reset() {
        for line in 0..<Self.lineCount { lines[line].clear() }
        absorption.reset()
        matrix.reset()
        settle()
    }

    /// The least prime that is at least `start`.
    @_noLocks private static func prime(from start: Int) -> Int {
        var candidate = start | 1
        while !isPrime(odd: candidate) { candidate += 2 }
        return candidate
    }

    @_noLocks private static func isPrime(odd number: Int) -> Bool {
        var divisor = 3
        while divisor * divisor <= number {
            if number % divisor == 0 { return false }
            divisor += 2
        }
        return true
    }
}
