// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The loop of `graph play`: reports faults, and finds the end. Main thread.

import AudioGraph
import Console
import Glibc
import GraphDocuments
import LinuxSystem
import PluginHosting

/// Runs a session that plays a graph to its end.
struct GraphLoop {
    let session: RealtimeSession
    let display: GraphDisplay
    /// The seconds after which to stop; nil for the end of the graph.
    let durationSeconds: Double?

    /// The longest tail after the end of the players, in seconds.
    private static let longestTail = 15.0

    /// Waits for the end, and reports faults meanwhile.
    func run() throws {
        let started = MonotonicClock.now()
        var messages = FaultMessages()
        while !Interruption.isRequested, !session.session.isStopped, !display.isLeft {
            // Clients may have edited the graph.
            let graph = session.chain
            session.session.tick(peaks: session.player.takePeaks())
            let seconds = Double(MonotonicClock.now() - started) / 1e9
            if let failure = graph.failure { throw failure }
            try session.followDriver()
            let recorded = session.sound.recorder?.takeMessages() ?? []
            for message in messages.take(from: graph) + session.takeDeviceMessages() + recorded { display.say(message) }
            display.update()
            if let durationSeconds, seconds >= durationSeconds { return }
            if let end = end(of: graph) {
                let played = graph.document.length == nil ? graph.playedSeconds : seconds
                if played >= end { return }
                display.show(played / max(end, 0.001))
            }
            usleep(50_000)
        }
    }

    /// The seconds after which all sound has been heard; nil for a graph without an end.
    private func end(of graph: BuiltGraph) -> Double? {
        if let length = graph.document.length { return length }
        guard graph.seconds > 0, !graph.isEndless, !graph.awaitsMIDI else { return nil }
        let rate = max(1, session.driver.status.sampleRate)
        let tail = graph.tailFrameCount == .max ? Self.longestTail : min(Self.longestTail, Double(graph.tailFrameCount) / rate)
        return graph.seconds + tail + Double(graph.latencyFrameCount) / rate
    }
}

extension BuiltGraph {
    /// Throws the players that were silent because their files were not read in time, each with the length of the silence.
    func complainOfUnderruns(sampleRate: Double) throws {
        guard !underruns.isEmpty else { return }
        let parts = underruns.map { "\"\($0.player)\" \((Double($0.frameCount) / max(1, sampleRate)).digits(3)) s" }
        throw CommandError.failed(
            "The disk was too slow, so these players were silent for a while: \(parts.joined(separator: ", ")). "
                + "Copy their files to a faster one.")
    }
}
