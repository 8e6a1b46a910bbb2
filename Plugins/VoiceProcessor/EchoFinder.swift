// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds by how much the echo at the microphone lies behind the far end. Made on the control thread, used on the render thread.

import PluginSDK

/// The correlation of the microphone with the far end, for each delay of half a millisecond up to a second.
///
/// Both are reduced to 2000 samples a second, and to their differences, which makes peaks narrow. The correlation forgets what is older than
/// some seconds. A delay counts once it stands out from all others several times in a row.
struct EchoFinder: ~Copyable {
    /// The found delay in samples at the full rate; nil before one was found.
    private(set) var delay: Int?

    /// The samples at the full rate for one at the reduced rate.
    private let step: Int
    private let delayCount: Int
    private let correlation: UnsafeMutablePointer<Float>
    /// The far end, newest sample first and twice over, so that each stretch of it is in one piece.
    private let history: UnsafeMutablePointer<Float>
    private var head = 0
    private var collected: (count: Int, microphone: Float, farEnd: Float) = (0, 0, 0)
    private var last: (microphone: Float, farEnd: Float) = (0, 0)
    private var untilLook: Int
    private var candidate = 0
    private var agreementCount = 0

    private static let reducedRate = 2000.0
    /// The reduced samples from one look to the next.
    private static var lookInterval: Int { @_noLocks get { 500 } }
    /// The looks in a row that agree on a delay.
    private static var wantedAgreement: Int { @_noLocks get { 3 } }
    /// The factor by which a delay stands out from the mean of all.
    private static var clearness: Float { @_noLocks get { 6 } }
    /// The share of the correlation that is kept for each reduced sample: half of it for 1.4 s.
    private static var memory: Float { @_noLocks get { 0.999_75 } }
    /// The reduced samples by which two looks may differ.
    private static var tolerance: Int { @_noLocks get { 2 } }

    init(sampleRate: Double) {
        step = max(1, Int(sampleRate / Self.reducedRate))
        delayCount = Int(sampleRate) / step
        correlation = .allocate(capacity: delayCount)
        correlation.initialize(repeating: 0, count: delayCount)
        history = .allocate(capacity: 2 * delayCount)
        history.initialize(repeating: 0, count: 2 * delayCount)
        untilLook = Self.lookInterval
    }

    deinit {
        correlation.deallocate()
        history.deallocate()
    }

    /// Takes a frame of both, and looks for delays up to `reach` samples.
    @_noLocks
    mutating func take(microphone: borrowing VoiceFrame, farEnd: borrowing VoiceFrame, reach: Int) {
        for index in 0..<microphone.count {
            collected.microphone += microphone.sample(at: index)
            collected.farEnd += farEnd.sample(at: index)
            collected.count &+= 1
            guard collected.count == step else { continue }
            takeReduced(collected.microphone, collected.farEnd, reach)
            collected = (0, 0, 0)
        }
    }

    @_noLocks
    private mutating func takeReduced(_ microphone: Float, _ farEnd: Float, _ reach: Int) {
        let (heard, sent) = (microphone - last.microphone, farEnd - last.farEnd)
        last = (microphone, farEnd)
        head = head == 0 ? delayCount &- 1 : head &- 1
        (history[head], history[head &+ delayCount]) = (sent, sent)
        let past = history + head
        for delay in 0..<delayCount { correlation[delay] = correlation[delay] * Self.memory + heard * past[delay] }
        untilLook &-= 1
        guard untilLook <= 0 else { return }
        untilLook = Self.lookInterval
        look(upTo: min(delayCount, reach / step))
    }

    /// Finds the delay of the highest correlation, and counts how often it was the same.
    @_noLocks
    private mutating func look(upTo end: Int) {
        var (best, highest, power) = (0, Float(0), Float(0))
        for delay in 0..<max(0, end) {
            let size = abs(correlation[delay])
            power += size * size
            if size > highest { (best, highest) = (delay, size) }
        }
        let mean = Float(Maths.sqrt(Double(power) / Double(max(1, end))))
        let isClear = highest > Self.clearness * mean && highest > 1e-6
        let agrees = isClear && abs(best &- candidate) <= Self.tolerance
        agreementCount = agrees ? agreementCount &+ 1 : isClear ? 1 : 0
        if isClear { candidate = best }
        if agreementCount >= Self.wantedAgreement { delay = best &* step }
    }

    /// Forgets the sound and the delay.
    @_noLocks
    mutating func reset() {
        for index in 0..<delayCount { (correlation[index], history[index], history[index &+ delayCount]) = (0, 0, 0) }
        (head, collected, last, untilLook) = (0, (0, 0, 0), (0, 0), Self.lookInterval)
        (candidate, agreementCount, delay) = (0, 0, nil)
    }
}
