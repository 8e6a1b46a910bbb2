// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Blocks of all sizes, and of one size too many. Thread of the case.

import PluginHosting

struct BlockSizesCase: ValidationCase {
    static let name = "block-sizes"
    static let summary = "it renders blocks of 1 to 8192 frames, in any order, and refuses larger ones"
    private static let maximum = 8192
    private static let sizes = [
        1, 1, 1, 2, 3, 5, 7, 8, 13, 16, 31, 32, 33, 64, 100, 127, 128, 129, 256, 441, 480, 512, 1000, 1024, 2048, 4095, 4096,
        8191, 8192, 1, 8192, 17,
    ]

    static func run(_ trial: Trial) throws(CaseEnd) {
        let unit = try trial.open()
        let bench = try Bench(trial, unit, BenchSettings(maximumFrameCount: maximum))
        var random = trial.random
        let more = (0..<24).map { _ in 1 << Int.random(in: 0...12, using: &random) }.map { Int.random(in: 1...$0, using: &random) }
        for size in sizes + more {
            trial.doing("rendering a block of \(Wording.count(size, "frame"))")
            try trial.requireFinite(try bench.renderNoise(size))
        }
        try bench.close()
        try refuseTooMany(trial, unit)
        try compareWithEvenBlocks(trial)
    }

    private static func refuseTooMany(_ trial: Trial, _ unit: HostedUnit) throws(CaseEnd) {
        let bench = try Bench(trial, unit, BenchSettings(maximumFrameCount: 256))
        trial.doing("rendering a block of 257 frames, with resources for 256")
        _ = try bench.renderNoise(256)
        switch bench.member.askForTooManyFrames(timeoutMilliseconds: 2000) {
        case .refused: break
        case .rendered: trial.fail("It renders 257 frames when it has resources for 256.")
        case .otherStatus(let status):
            trial.fail(
                "It answers a request for 257 frames with status \(status) when it has resources for 256; that is status 1.")
        case .otherRequest(let sequence):
            trial.fail("It answers a request for 257 frames with a reply to request \(sequence).")
        case .none: throw .hung("It did not answer while \(trial.activity.current).")
        }
        trial.doing("rendering after a block that was too large")
        try trial.requireFinite(try bench.renderNoise(256))
        try bench.close()
    }

    /// Compares the sound of two sequences of block sizes.
    ///
    /// A unit may read its controls once a block, so a difference is a remark.
    private static func compareWithEvenBlocks(_ trial: Trial) throws(CaseEnd) {
        let seed = trial.random
        func sound(_ blocks: [Int]) throws(CaseEnd) -> Sound {
            trial.random = seed
            return try trial.renderFresh { (bench) throws(CaseEnd) in
                let noise = Sound.noise(bench.channelCount, frameCount: 4096, using: &trial.random)
                return try bench.render(noise, blocks: blocks)
            }
        }
        let even = try sound([512])
        let uneven = try sound([1, 100, 7, 333, 512, 64, 31])
        guard let frame = even.firstDifference(from: uneven) else { return }
        let level = Wording.decibels(even.largestDifference(from: uneven))
        trial.remark("Other block sizes change its sound, from frame \(frame) on by up to \(level).")
    }
}
