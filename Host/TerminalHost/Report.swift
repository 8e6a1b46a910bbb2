// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The report of a run of render, play, live or demo, for scripts. Main thread.

import AudioFiles
import AudioGraph
import Console
import FoundationEssentials
import Glibc
import GraphDocuments
import PluginHosting

/// The facts of a run, written by `--report`.
struct Report: Encodable {
    struct Fault: Encodable {
        let kind: String
        let description: String
        let cycle: UInt64
        let recoveredAfterCycles: UInt64?
        let restartMilliseconds: Double?
        /// The names of the effects in the same process.
        let wentDownTogetherWith: [String]
    }

    /// The number of stalls of the machine, also of real-time threads, and the longest one.
    struct MachineStalls: Encodable {
        let count: Int
        let longestMilliseconds: Double
    }

    struct Unit: Encodable {
        let id: String
        let name: String
        let pid: Int32?
        let isolation: String
        let restarts: Int
        let isQuarantined: Bool
        let isBypassed: Bool
        let latencyFrames: Int
        /// The channels of each instance of the plug-in, from 1 on; nil if one instance has them all.
        let instances: [[Int]]?
        /// The number of times that the unit muted its plug-in because of NaN or infinity.
        let invalidStretches: Int
        /// The number of blocks with invalid output, and of all replaced blocks.
        let invalidBlocks: UInt64
        let replacedBlocks: UInt64
        /// The notes without a sound, and the programs that another one replaced.
        let unplayedNotes: Int
        let substitutedPrograms: Int
        /// The values and MIDI messages that the unit dropped.
        let droppedEvents: Int
        let faults: [Fault]
    }

    var command: String
    var sampleRate: Double
    var quantum: Int
    var cycles: UInt64
    var missedDeadlines: UInt64
    /// The deadlines missed while the machine stalled; nil without a watch for stalls.
    var missedWhileMachineStoodStill: UInt64?
    var machineStalls: MachineStalls?
    var driverXruns: UInt64
    var latencyFrames: Int
    var longestCycleMicroseconds: Double
    var units: [Unit]
    /// Quarantined effects, which were not started, and effects that were left out for a while because they refused the rate.
    var leftOut: [LeftOut] = []
    /// The oddities of a rendered file without a failure.
    var findings: [RenderFinding] = []

    /// The facts about the units of a chain.
    static func units(of chain: BuiltGraph) -> [Unit] {
        chain.members.map { member in
            Unit(
                id: member.unit.component.id, name: member.unit.name, pid: member.unit.processIdentifier,
                isolation: member.unit.isolation.rawValue, restarts: member.faults.restarts,
                isQuarantined: member.isQuarantined, isBypassed: member.isBypassed,
                latencyFrames: member.latencyFrameCount, instances: member.instanceChannels,
                invalidStretches: member.invalidStretchCount,
                invalidBlocks: member.invalidBlockCount, replacedBlocks: member.replacedBlockCount,
                unplayedNotes: member.unplayedNoteCount, substitutedPrograms: member.substitutedProgramCount,
                droppedEvents: member.droppedEventCount,
                faults: member.faults.records.map {
                    Fault(
                        kind: $0.fault.kind, description: "\($0.fault)", cycle: $0.cycle,
                        recoveredAfterCycles: $0.recoveredAfterCycles, restartMilliseconds: $0.restartMilliseconds,
                        wentDownTogetherWith: $0.companions)
                })
        }
    }
}

extension Report {
    /// Writes the report, completely or not at all.
    func write(to path: String) throws {
        try ReplacementFile.replace(path, with: try Terminal.json(self) + "\n")
    }
}
