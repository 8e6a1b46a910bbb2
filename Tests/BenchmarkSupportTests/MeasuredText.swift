// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Invented output of the commands. Any thread.

import BenchmarkSupport

/// Text as `bulkhead measure --json` prints it.
enum MeasuredText {
    /// Four rows: in process and out of it, one effect and 16, at each frame count.
    ///
    /// The floor is 4 µs, its p99.9 10 µs; a unit costs 4.2 µs.
    static func measure(
        frames: [Int] = [32, 128], scheduling: String = "SCHED_FIFO", hasPlacements: Bool = false, missedShare: Double = 0,
        replacedBlocks: Int = 0, isQuiet: Bool = true,
        overhead: Double = 4.2, missing: String? = nil
    ) -> String {
        let times = #""p50us": 4.0, "p99us": 5.0, "p999us": 10.0, "maxus": 20.0"#
        let floor =
            hasPlacements
            ? #"""
            "floors": [{"placement": "spread", "effects": 1, \#(times)}, {"placement": "together", "effects": 1, \#(times)},
             {"placement": "together", "effects": 16, "p50us": 32, "p99us": 40, "p999us": 50, "maxus": 60}]
            """# : #""floor": {\#(times)}"#
        let rows = frames.flatMap { frames in
            [
                row("in-process", 1, frames, 0.5, 0, nil),
                row("out-of-process", 1, frames, 4.7, overhead, hasPlacements ? replacedBlocks : nil),
                row("in-process", 16, frames, 2, 0, nil),
                row("out-of-process", 16, frames, 34, 2, hasPlacements ? replacedBlocks : nil),
            ]
        }
        let text = """
            {"unit": "aufx:gain:blkh", "scheduling": "\(scheduling)", "processor": 1, "cycles": 100, "periodUs": 0,
             \(floor), "noise": {"isTrustworthy": \(isQuiet), "missedShare": \(missedShare)}, "rows": [\(rows.joined(separator: ", "))]}
            """
        guard let missing else { return text }
        return text.split(separator: "\"\(missing)\"", omittingEmptySubsequences: false).joined(separator: "\"other\"")
    }

    private static func row(
        _ isolation: String, _ effects: Int, _ frames: Int, _ median: Double, _ overhead: Double, _ replacedBlocks: Int?
    ) -> String {
        let way = replacedBlocks.map { #""placement": "together", "waiting": "adaptive", "replacedBlocks": \#($0), "# } ?? ""
        return """
            {"isolation": "\(isolation)", \(way)"effects": \(effects), "frames": \(frames), "p50us": \(median), "p99us": 20,
             "p999us": 14, "maxus": 50, "overheadPerEffectUs": \(overhead), "ratioToFloor": \(overhead / 4), "ratioToRing": 1.25}
            """
    }

    static func peer(
        _ placement: String, each: Double, priority: Int32 = 59, processor: Int? = 1
    ) -> PeerReport {
        PeerReport(
            placement: placement, processor: processor, realtimePriorities: [priority, priority], frames: 128, channels: 2,
            cycles: 100, pipeWireVersion: "0.3.65",
            rows: [
                .init(.inProcess, effects: 16, [2000], missed: 0),
                .init(.individually, effects: 16, [UInt32(2000 + each * 16000)], missed: 0, inProcess: [2000]),
            ])
    }
}
