// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The cost of the engine's own work: many players in a mixer, and edits of a graph. Main thread.

import AudioGraph
import Console
import LinuxSystem

/// The facts of `--graph`, as `--json` prints them.
package struct GraphReport: Encodable {
    /// The nanoseconds in a comparable node graph, for a looping player and a block of 256 frames.
    static let targetNanosecondsOfPlayer = 140.0
    static let targetMillisecondsOfEdit = 2.0
    static let targetMillisecondsOfCompilation = 10.0
    static let frameCount = 256
    static let sampleRate = 48_000.0

    /// The number of looping stereo players in one mixer.
    let players: Int
    /// The nanoseconds for one player and one block of 256 frames.
    let playerP50ns, playerP99ns: Double
    /// The milliseconds from the call of an edit until its plan is handed over, in a graph of 100 nodes.
    let editP50ms, editP99ms: Double
    /// The same in a graph with as many nodes as players.
    let largeEditP50ms, largeEditP99ms: Double
    /// The most cycles from the hand-over until the edit is heard.
    let cyclesUntilHeard: Int
    let isWithinTargets: Bool

    /// Measures a graph of `count` players.
    package static func measure(players count: Int) throws -> GraphReport {
        let progress = ProgressLine("Rendering")
        let blocks = try renderTimes(players: count) { progress.show($0 / 2) }
        let small = try editTimes(nodes: 100, edits: 500)
        progress.show(0.75)
        let large = try editTimes(nodes: count, edits: 100)
        progress.finish()
        let block = Distribution(blocks)
        let (ofSmall, ofLarge) = (Distribution(small.times), Distribution(large.times))
        let perPlayer = block.median / Double(count)
        return GraphReport(
            players: count, playerP50ns: perPlayer, playerP99ns: Double(block.percentile(0.99)) / Double(count),
            editP50ms: ofSmall.median / 1e6, editP99ms: Double(ofSmall.percentile(0.99)) / 1e6,
            largeEditP50ms: ofLarge.median / 1e6, largeEditP99ms: Double(ofLarge.percentile(0.99)) / 1e6,
            cyclesUntilHeard: max(small.cycles, large.cycles),
            isWithinTargets: perPlayer < targetNanosecondsOfPlayer && ofSmall.median / 1e6 < targetMillisecondsOfEdit
                && ofLarge.median / 1e6 < targetMillisecondsOfCompilation && max(small.cycles, large.cycles) <= 1)
    }

    private static func engine(players count: Int) throws -> (engine: AudioEngine, players: [AudioPlayerNode]) {
        let format = AudioFormat(sampleRate: sampleRate, channelCount: 2)
        let engine = AudioEngine()
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: frameCount)
        guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: 48_000) else { return (engine, []) }
        buffer.frameLength = buffer.frameCapacity
        let samples = buffer.samples
        for frame in 0..<buffer.frameLength {
            for channel in 0..<2 { samples[channel][frame] = Float(frame % 480) / 480_000 }
        }
        let players = (0..<count).map { _ in AudioPlayerNode() }
        try engine.edit {
            for player in players {
                engine.attach(player)
                try engine.connect(player, to: engine.mainMixerNode, format: format)
                player.scheduleBuffer(buffer, options: .loops)
                player.play()
            }
        }
        try engine.start()
        return (engine, players)
    }

    /// The nanoseconds of each block.
    private static func renderTimes(players count: Int, progress: (Double) -> Void) throws -> [UInt32] {
        let (engine, players) = try engine(players: count)
        guard let block = AudioPCMBuffer(pcmFormat: AudioFormat(sampleRate: sampleRate, channelCount: 2), frameCapacity: frameCount)
        else { return [] }
        let rounds = max(200, 400_000 / max(1, count))
        var times: [UInt32] = []
        for round in 0..<rounds {
            if round % 50 == 0 { try Interruption.check() }
            let before = engine.statistics?.cycles
            try engine.renderOffline(frameCount, to: block)
            guard let statistics = engine.statistics, statistics.cycles != before else { continue }
            // The first blocks fill the caches, so they do not count.
            if round >= rounds / 20 { times.append(UInt32(clamping: statistics.lastNanoseconds)) }
            progress(Double(round) / Double(rounds))
        }
        withExtendedLifetime(players) {}
        return times
    }

    /// The nanoseconds of each edit, and the cycles until the last of them was heard.
    private static func editTimes(nodes count: Int, edits: Int) throws -> (times: [UInt32], cycles: Int) {
        let (engine, players) = try engine(players: count)
        guard
            let block = AudioPCMBuffer(pcmFormat: AudioFormat(sampleRate: sampleRate, channelCount: 2), frameCapacity: frameCount),
            let player = players.first
        else { return ([], 0) }
        var times: [UInt32] = []
        var mostCycles = 0
        for edit in 0..<edits {
            try Interruption.check()
            let before = MonotonicClock.now()
            let ticket =
                edit % 2 == 0
                ? try engine.disconnectNodeOutput(player).get() : try engine.connect(player, to: engine.mainMixerNode)
            times.append(UInt32(clamping: MonotonicClock.now() - before))
            var cycles = 0
            while ticket.sampleTime == nil, cycles < 10 {
                try engine.renderOffline(frameCount, to: block)
                cycles += 1
            }
            mostCycles = max(mostCycles, cycles)
            // This renders until the fade is over.
            for _ in 0..<8 { try engine.renderOffline(frameCount, to: block) }
        }
        return (times, mostCycles)
    }

    package var text: String {
        let rows = [
            [
                "a looping player, a block of 256 frames, median", "\(playerP50ns.digits(0)) ns",
                "below \(Self.targetNanosecondsOfPlayer.digits(0)) ns",
            ],
            ["99th percentile", "\(playerP99ns.digits(0)) ns", ""],
            ["an edit of 100 nodes, median", "\(editP50ms.digits(2)) ms", "below \(Self.targetMillisecondsOfEdit.digits(0)) ms"],
            ["99th percentile", "\(editP99ms.digits(2)) ms", ""],
            [
                "an edit of \(players) nodes, median", "\(largeEditP50ms.digits(2)) ms",
                "below \(Self.targetMillisecondsOfCompilation.digits(0)) ms",
            ],
            ["99th percentile", "\(largeEditP99ms.digits(2)) ms", ""],
            ["cycles until an edit is heard, at most", "\(cyclesUntilHeard)", "at most 1"],
        ]
        let table = Table(headings: ["\(players) players in a mixer", "measured", "target"]).text(rows)
        return isWithinTargets ? table : "\(table)\n\nThis misses a target."
    }
}
