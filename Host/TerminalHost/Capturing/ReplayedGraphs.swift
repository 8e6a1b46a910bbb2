// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The graphs of a replay: the one that plays, those that ring out, and those that fade out. Main thread.

import AudioFormats
import AudioGraph
import Control
import GraphDocuments
import PluginHosting

/// The graphs that are heard, with the captured changes that were made so far.
struct ReplayedGraphs {
    private struct Numbered {
        let graph: BuiltGraph
        /// The edit or scene that made it.
        let madeBy: Int
    }

    private let performance: CapturedPerformance
    private let allowances: Allowances
    private var present: Numbered
    /// The graphs that ring out, the oldest first.
    private var former: [Numbered] = []
    /// The graphs that fade out, each with its first frame of the fade.
    private var leaving: [(graph: BuiltGraph, frame: Int64)] = []
    private var player: EventPlayer
    private var changeCount = 0
    /// The changes of MIDI's routes that edits have made, and that are not heard yet, by their numbers in the log.
    private var heldMIDI: [(number: UInt64, change: @Sendable () -> Void)] = []
    private var editFrame: Int64 = -1
    /// The resources that recorded the faults of removed units.
    private var goneMembers: [UnitResources] = []
    private var goneFailure: GraphDocumentError?
    /// The number of frames after which a removed graph is silent.
    private let fadeFrameCount: Int64

    /// Takes over a performance's graph.
    init(_ graph: BuiltGraph, of performance: CapturedPerformance, allowing allowances: Allowances) {
        (self.performance, self.allowances) = (performance, allowances)
        present = Numbered(graph: graph, madeBy: 0)
        fadeFrameCount = Int64(max(1, Int(nearestFrame: performance.heard.format.sampleRate)))
        player = EventPlayer(graph.engine)
        player.follow([graph], change: 0, at: 0)
    }

    var engine: AudioEngine { present.graph.engine }

    private var all: [BuiltGraph] { former.map(\.graph) + [present.graph] }

    /// Makes a change, which is heard from the next block on.
    mutating func make(_ change: CapturedEvent) throws {
        letGo(before: change.frame - fadeFrameCount)
        switch change.event {
        // An edit makes its plan itself.
        case .plan where change.frame == editFrame: return
        case .edit, .scene:
            changeCount += 1
            player.keepMembers()
            let (next, made) = try performance.change(present.graph, by: change, allowing: allowances)
            if let held = made?.heldMIDI { heldMIDI.append((change.routes ?? 0, held)) }
            if next !== present.graph {
                former.append(present)
                present = Numbered(graph: next, madeBy: changeCount)
            }
        case .routes:
            let due = heldMIDI.prefix { $0.number <= change.routes ?? 0 }
            for held in due { held.change() }
            heldMIDI.removeFirst(due.count)
            return
        case .removal:
            player.keepMembers()
            try remove(change)
        default:
            guard try player.apply(change) else {
                let path = [change.node, change.keyPath].compactMap { $0 }.joined(separator: ".")
                throw performance.failed("at frame \(change.frame) \"\(path)\" changes, which the session does not have")
            }
            return
        }
        editFrame = change.frame
        player.follow(all, change: changeCount, at: change.frame)
    }

    private mutating func remove(_ change: CapturedEvent) throws {
        let index = change.madeBy.map { madeBy in former.firstIndex { $0.madeBy == madeBy } } ?? former.indices.first
        guard let index else {
            throw performance.failed("at frame \(change.frame) a former scene goes that the session does not have")
        }
        let graph = former.remove(at: index).graph
        try graph.remove()
        leaving.append((graph, change.frame))
    }

    /// Removes graphs, units and levels that left before a frame, and ends their processes.
    private mutating func letGo(before frame: Int64) {
        let members = player.removeWhatLeft(before: frame)
        let gone = leaving.filter { $0.frame < frame }
        guard !members.isEmpty || !gone.isEmpty else { return }
        goneMembers += members.filter { !$0.faults.records.isEmpty || $0.replacedBlockCount > 0 || $0.isQuarantined }
        goneFailure = goneFailure ?? gone.lazy.compactMap(\.graph.failure).first
        leaving.removeAll { $0.frame < frame }
    }

    /// Sends a message of MIDI as input at its frame.
    func send(_ message: CapturedEvent) { player.send(message, message.frame) }

    /// Waits for units that restart.
    func waitUntilReady() { for graph in all where !graph.isWhole { _ = graph.waitUntilReady(milliseconds: 10_000) } }

    /// The reason why a file ended before the length in its header; nil without one.
    var failure: GraphDocumentError? { goneFailure ?? (leaving.map(\.graph) + all).lazy.compactMap(\.failure).first }

    /// The resources that recorded the faults of all units, removed ones included.
    var members: [UnitResources] { goneMembers + player.members }
}
