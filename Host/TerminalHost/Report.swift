// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a run of render, play or live leaves behind for scripts. Main thread.

import AudioFiles
import Console
import FoundationEssentials
import Glibc
import PluginHosting

/// The facts of a run, as `--report` writes them.
struct Report: Encodable {
    struct Fault: Encodable {
        let kind: String
        let description: String
        let cycle: UInt64
        let recoveredAfterCycles: UInt64?
        let restartMilliseconds: Double?
        /// The effects whose process ended with it, by name.
        let wentDownTogetherWith: [String]
    }

    /// How often the machine let nobody run, real-time threads neither, and for how long at worst.
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
        /// How often the unit silenced itself because what it wraps put out something that is no number.
        let invalidStretches: Int
        /// Blocks that the unit put out and nobody may hear, and all blocks in which something stood in for it.
        let invalidBlocks: UInt64
        let replacedBlocks: UInt64
        let faults: [Fault]
    }

    var command: String
    var sampleRate: Double
    var quantum: Int
    var cycles: UInt64
    var missedDeadlines: UInt64
    /// Those of them that nobody could have met, because the machine stood still; nil where nobody watched it.
    var missedWhileMachineStoodStill: UInt64?
    var machineStalls: MachineStalls?
    var driverXruns: UInt64
    var latencyFrames: Int
    var longestCycleMicroseconds: Double
    var units: [Unit]
    /// Effects that were not started, because they are in quarantine.
    var leftOut: [LeftOut] = []

    /// Reads the facts off a chain.
    static func units(of chain: UnitChain) -> [Unit] {
        chain.members.map { member in
            Unit(
                id: member.unit.component.id, name: member.unit.name, pid: member.unit.processIdentifier,
                isolation: member.unit.isolation.rawValue, restarts: member.faults.restarts,
                isQuarantined: member.isQuarantined, isBypassed: member.isBypassed,
                latencyFrames: member.latencyFrameCount, invalidStretches: member.invalidStretchCount,
                invalidBlocks: member.invalidBlockCount, replacedBlocks: member.replacedBlockCount,
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
    /// Writes the report whole or not at all.
    func write(to path: String) throws {
        try ReplacementFile.replace(path, with: try Terminal.json(self) + "\n")
    }
}
