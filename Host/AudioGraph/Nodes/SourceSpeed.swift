// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The speed of a source of its own, and the nodes of plans that make it. Any thread but the render thread.

import Rendering
import Synchronization

/// The speed of a source without inputs, which renders at a pace of its own.
///
/// A source has one from the first rate other than 1 on.
final class SourceSpeed: Sendable {
    static let rates: ClosedRange<Float> = 0.5...2

    /// The parameters of a node.
    private struct Key: Hashable {
        let bus: Int
        let channelCount: Int
        let maximumFrameCount: Int
    }

    let pace = TimePace()
    private let setting = PaceSetting(range: SourceSpeed.rates)
    private let nodes = Mutex<[Key: ConnectedSpeed]>([:])

    /// The rate, clamped to `rates`.
    var rate: Float {
        get { setting.rate }
        set { setting.set(rate: newValue, pace) }
    }

    /// Makes the node behind an output bus, if there is none yet.
    func makeNode(bus: Int, channelCount: Int, maximumFrameCount: Int) {
        let key = Key(bus: bus, channelCount: channelCount, maximumFrameCount: maximumFrameCount)
        nodes.withLock { nodes in
            if nodes[key] == nil { nodes[key] = ConnectedSpeed(channelCount, maximumFrameCount, pace) }
        }
    }

    /// The node behind an output bus; nil if there is none yet.
    func node(bus: Int, channelCount: Int, maximumFrameCount: Int) -> ConnectedSpeed? {
        nodes.withLock { $0[Key(bus: bus, channelCount: channelCount, maximumFrameCount: maximumFrameCount)] }
    }

    /// Forgets the nodes, which no plan holds any more.
    func forgetNodes() { nodes.withLock { $0 = [:] } }
}

/// Plays an output bus at the source's speed, for all its destinations.
final class ConnectedSpeed: Sendable {
    let node: SpeedNode
    let history = NodeHistory()
    /// The connection to the node in plans: it is audible at once.
    let connection = ConnectionState.standing()

    init(_ channelCount: Int, _ maximumFrameCount: Int, _ pace: TimePace) {
        let rates = Double(SourceSpeed.rates.lowerBound)...Double(SourceSpeed.rates.upperBound)
        node = SpeedNode(channelCount: channelCount, maximumFrameCount: maximumFrameCount, pace: pace, rates: rates)
    }
}

extension AudioNode {
    /// The speed of the node of its own; nil for one that follows the pace of what it leads to.
    var speed: SourceSpeed? { body.mixing?.speed }

    /// Sets the speed of a source, 0.5 to 2.
    func setSpeed(_ rate: Float) {
        guard numberOfInputs == 0, !body.isLive, let mixing = body.mixing else {
            return refuse("a rate of its own: players, instruments and sources have one; put AudioUnitVarispeed in front of it")
        }
        guard mixing.setSpeed(rate), let engine else { return }
        do throws(AudioEngineError) {
            try engine.edit("give \"\(name)\" a rate") {}
        } catch { engine.keep(error) }
    }
}
