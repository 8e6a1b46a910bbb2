// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Answers players' questions to their engine: a common start time, and the sound heard so far. Any thread but the render thread.

import AudioFormats
import Rendering

extension AudioEngine {
    /// The time from now to a common start, in seconds; every player has to learn of it meanwhile.
    private static let startSeconds = 0.02

    /// The earliest time at which several players can start on one frame; nil if nothing renders.
    var commonStart: AudioTime? {
        let quantum = state.withLock { state -> Int? in
            guard case .driver(let driver) = state.mode, state.phase == .running else { return nil }
            return driver.status.quantum
        }
        guard let quantum, let last = lastRenderTime, let time = last.sampleTime else { return nil }
        return AudioTime(
            sampleTime: time + Int64(2 * quantum) + Int64(Int(nearestFrame: last.sampleRate * Self.startSeconds)),
            atRate: last.sampleRate)
    }

    /// The sample time, at a node's rate, before which all of the node's sound has passed the nodes behind it and reached the device.
    func sampleTimeHeard(of node: AudioNode) -> Int64? {
        state.withLock { state in
            guard let playing = state.playing, let plan = playing.plan, playing.player.statistics.cycles > 0 else { return nil }
            let index = plan.graph.nodes.firstIndex { $0.history === node.history }
            let behind = index.map { plan.latencyFrameCount - plan.latencies[$0] } ?? plan.latencyFrameCount
            // The device has everything from before the last cycle.
            let heard = playing.player.now.sampleTime - Int64(max(0, behind))
            guard let record = state.graph[node] else { return heard }
            // Upstream of a time effect the driver's time is meaningless.
            if let index, plan.graph.pace(ofClock: plan.graph.nodes[index].clock) != nil { return nil }
            let rate = Self.sampleRate(of: record, Self.format(of: state))
            return AudioTime(sampleTime: heard, atRate: playing.environment.sampleRate).at(rate).sampleTime
        }
    }

    /// Gives a player a rate of its own, unless it has one or the engine's is known.
    func setRate(_ rate: Double, of player: AudioPlayerNode) {
        state.withLock { state in
            guard let record = state.graph[player] else { return }
            let format = Self.busFormat(of: record, 0, isInput: false, Self.format(of: state))
            if format.sampleRate <= 0 { state.graph.setFormat(format.at(rate), ofOutput: 0, player) }
        }
    }
}
