// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The outcome of one file of a batch, which its process reports. Any thread.

import FoundationEssentials
import Glibc
import LinuxSystem

/// The outcome of a file.
struct JobOutcome: Codable {
    struct Fault: Codable {
        let unit, kind, description: String
        let cycle: UInt64
    }

    /// The sound in the output, in seconds; nil if rendering did not reach its end.
    private(set) var seconds: Double?
    private(set) var findings: [RenderFinding] = []
    private(set) var faults: [Fault] = []
    private(set) var replacedBlocks: UInt64 = 0
    /// A sentence about the failure; nil without one.
    private(set) var error: String?
    private(set) var exitStatus: Int32 = 0

    init() {}

    init(failure: CommandError) { fail(failure) }

    var hasFailed: Bool { exitStatus != 0 }

    mutating func take(_ facts: FileRender.Facts) {
        seconds = facts.seconds
        findings = facts.report.findings
        replacedBlocks = facts.report.units.reduce(0) { $0 + $1.replacedBlocks }
        faults = facts.report.units.flatMap { unit in
            unit.faults.map { Fault(unit: unit.name, kind: $0.kind, description: $0.description, cycle: $0.cycle) }
        }
    }

    mutating func fail(_ failure: CommandError) { (error, exitStatus) = ("\(failure)", failure.exitStatus) }
}

extension JobOutcome {
    /// The most bytes that are read, because a plug-in that was loaded into the process may have written them.
    private static let limit = 1 << 24

    /// Writes the outcome to a file that belongs to the caller alone.
    func write(to descriptor: Int32) throws {
        try Descriptor.write(Array(try JSONEncoder().encode(self)), to: descriptor, "tell what became of the file")
    }

    /// Reads the outcome that a process has written; nil unless it is complete.
    init?(from descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, (1...Self.limit).contains(Int(status.st_size)) else { return nil }
        guard let bytes = Descriptor.bytes(from: descriptor, at: 0, byteCount: Int(status.st_size)),
            let outcome = try? JSONDecoder().decode(JobOutcome.self, from: Data(bytes))
        else { return nil }
        self = outcome
    }
}
