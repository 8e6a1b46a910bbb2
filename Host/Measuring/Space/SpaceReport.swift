// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The cost of sources that a head hears, and OpenAL Soft's beside it. Main thread.

import AudioGraph
import Console
import Spatial

/// The facts of `--space`, as `--json` prints them.
package struct SpaceReport: Encodable {
    /// The cost of one kind of sources with one build of the kernels.
    struct Row: Encodable {
        let build: String
        let taps: Int
        let motion: SpaceScene.Motion
        let sources: Int
        /// The microseconds of a source in a block of 256 frames: the median of all blocks, divided by the sources.
        let sourceUs: Double
        /// The 99.9th percentile of a block beside its median.
        let worstRatio: Double
        /// True if there are half as many sources as a core renders.
        let isHalfLoad: Bool
        /// The sources that one core renders in real time at this cost.
        var sourcesPerCore: Int { sourceUs > 0 ? Int(SpaceReport.blockMicroseconds / sourceUs) : 0 }
    }

    static let blockMicroseconds = Double(SpaceScene.frameCount) / SpaceScene.sampleRate * 1e6
    /// The moving sources on a core that each build must reach, and how many times OpenAL Soft's.
    private static let targets: [String: (sources: Int, timesPeer: Double)] = ["x86-64-v3": (2000, 1.6), "x86-64": (1500, 1.15)]
    private static let targetOfStill = 0.65
    /// The share of a moving source that one costs which is not heard: next to nothing.
    private static let targetOfUnheard = 0.2
    private static let targetOfWorst = 2.0
    private static let peerSourceCount = 256

    let rows: [Row]
    /// The microseconds of a source of OpenAL Soft; nil if it is not installed, or has no HRTF.
    let peerSourceUs: Double?
    /// The 99.9th percentile of one of its blocks beside the median.
    let peerWorstRatio: Double?

    /// Measures sources through the standard head.
    package static func measure() throws -> SpaceReport {
        let progress = ProgressLine("Rendering")
        let head = try AudioHead.standard()
        let counts = [1, 4, 16, 64, 256, 1000, 2000, 4000]
        var (rows, peers): ([Row], [Distribution]) = ([], [])
        for (index, build) in KernelBuild.all.enumerated() {
            let short = try head.responses(sampleRate: SpaceScene.sampleRate, quality: .short, build: build)
            for (place, count) in counts.enumerated() {
                rows.append(try row(build, 128, .moving, count, short))
                progress.show((Double(index) + Double(place) / Double(counts.count)) / Double(KernelBuild.all.count))
            }
            for motion in SpaceScene.Motion.allCases where motion != .moving {
                rows.append(try row(build, 128, motion, 1000, short))
            }
            let full = rows.last { $0.motion == .moving && $0.sources == 1000 }?.sourcesPerCore ?? 2
            rows.append(try row(build, 128, .moving, max(1, full / 2), short, isHalfLoad: true))
            let whole = try head.responses(sampleRate: SpaceScene.sampleRate, quality: .whole, build: build)
            rows.append(try row(build, whole.tapCount, .moving, 256, whole))
            if let peer = peer() { peers.append(peer) }
        }
        progress.finish()
        // The faster of all its runs counts.
        let peer = peers.min { $0.median < $1.median }
        return SpaceReport(
            rows: rows, peerSourceUs: peer.map { $0.median / 1000 / Double(peerSourceCount) },
            peerWorstRatio: peer.map { worstRatio($0) })
    }

    /// The times of OpenAL Soft's blocks; nil if it is not installed, or has no HRTF.
    private static func peer() -> Distribution? {
        let times = OpenALPeer()?.times(
            sourceCount: peerSourceCount, blockCount: 1000, frameCount: SpaceScene.frameCount, sampleRate: 48_000)
        return times.map { Distribution($0) }
    }

    private static func worstRatio(_ times: Distribution) -> Double {
        times.median > 0 ? Double(times.percentile(0.999)) / times.median : 0
    }

    private static func row(
        _ build: KernelBuild, _ taps: Int, _ motion: SpaceScene.Motion, _ count: Int, _ responses: HeadResponses,
        isHalfLoad: Bool = false
    ) throws -> Row {
        try Interruption.check()
        let scene = try SpaceScene(count, motion, responses)
        let blockCount = isHalfLoad ? 4000 : max(200, min(4000, 500_000 / count))
        let times = Distribution(scene.times(blockCount: blockCount))
        return Row(
            build: build.name, taps: taps, motion: motion, sources: count, sourceUs: times.median / 1000 / Double(count),
            worstRatio: worstRatio(times), isHalfLoad: isHalfLoad)
    }

    private func row(_ build: String, _ motion: SpaceScene.Motion, _ count: Int) -> Row? {
        rows.first { $0.build == build && $0.motion == motion && $0.sources == count && $0.taps == 128 && !$0.isHalfLoad }
    }

    package var text: String {
        let cells = rows.map { row in
            [
                row.build, "\(row.taps)", row.motion.rawValue, "\(row.sources)", row.sourceUs.digits(3), "\(row.sourcesPerCore)",
                row.worstRatio.digits(2),
            ]
        }
        let headings = ["build", "taps", "sources are", "number", "µs a source", "sources a core", "p99.9 / median"]
        return ([Table(headings: headings).text(cells), ""] + verdicts).joined(separator: "\n")
    }

    /// The targets, and whether each was reached.
    private var verdicts: [String] {
        var lines: [String] = []
        if let peerSourceUs {
            let sources = Int(Self.blockMicroseconds / peerSourceUs)
            lines.append(
                "OpenAL Soft, 32 taps, \(Self.peerSourceCount) moving sources: \(peerSourceUs.digits(3)) µs, \(sources) a core, "
                    + "p99.9 \((peerWorstRatio ?? 0).digits(2)) medians.")
        } else {
            lines.append("OpenAL Soft is not compared: install libopenal1.")
        }
        for (build, target) in Self.targets.sorted(by: { $0.key < $1.key }) {
            guard let moving = row(build, .moving, 1000), let still = row(build, .still, 1000) else { continue }
            lines.append("\(build): \(moving.sourcesPerCore) moving sources a core, wanted \(target.sources).")
            if let peerSourceUs {
                let times = peerSourceUs / moving.sourceUs
                lines.append("\(build): \(times.digits(2)) times OpenAL Soft, wanted \(target.timesPeer.digits(2)).")
            }
            let ratio = still.sourceUs / moving.sourceUs
            lines.append(
                "\(build): a still source costs \(ratio.digits(2)) of a moving one, wanted \(Self.targetOfStill.digits(2)) at most."
            )
            lines += unheard(build, moving) + atHalfLoad(build)
        }
        return lines
    }

    /// The cost of sources that are not heard.
    private func unheard(_ build: String, _ moving: Row) -> [String] {
        [SpaceScene.Motion.silent, .far].compactMap { motion in
            guard let row = row(build, motion, 1000) else { return nil }
            let share = (row.sourceUs / moving.sourceUs).digits(2)
            return
                "\(build): a \(motion.rawValue) source costs \(share) of a moving one, wanted \(Self.targetOfUnheard.digits(2)) at most."
        }
    }

    private func atHalfLoad(_ build: String) -> [String] {
        rows.filter { $0.isHalfLoad && $0.build == build }.map { row in
            "\(build): p99.9 of a block of \(row.sources) moving sources, half a core, is \(row.worstRatio.digits(2)) medians, "
                + "wanted below \(Self.targetOfWorst.digits(1))."
        }
    }
}
