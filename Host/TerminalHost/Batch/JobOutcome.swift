// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What became of one file of a batch, as its process tells it. Any thread.

import FoundationEssentials
import Glibc
import LinuxSystem

/// What became of a file.
struct JobOutcome: Codable {
    struct Fault: Codable {
        let unit, kind, description: String
        let cycle: UInt64
    }

    /// Seconds of sound in the output; nil where the end was not reached.
    private(set) var seconds: Double?
    private(set) var findings: [RenderFinding] = []
    private(set) var faults: [Fault] = []
    private(set) var replacedBlocks: UInt64 = 0
    /// The sentence that says why it failed.
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
    /// More bytes are not read: a plug-in that was loaded into the process may have written them.
    private static let limit = 1 << 24

    /// Writes it to a file that is the caller's alone.
    func write(to descriptor: Int32) throws {
        try Descriptor.write(Array(try JSONEncoder().encode(self)), to: descriptor, "tell what became of the file")
    }

    /// Reads what a process has written; nil if it has not, or not all.
    init?(from descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, (1...Self.limit).contains(Int(status.st_size)) else { return nil }
        guard let bytes = Descriptor.bytes(from: descriptor, at: 0, byteCount: Int(status.st_size)),
            let outcome = try? JSONDecoder().decode(JobOutcome.self, from: Data(bytes))
        else { return nil }
        self = outcome
    }
}
