// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The line about one file of a batch, for people and for scripts. Any thread.

import Console
import FoundationEssentials
import Printing

/// The result for a file, on one line.
struct BatchLine: Encodable {
    enum Status: String, Encodable { case rendered, skipped, failed }

    let input, output: String
    let status: Status
    /// The sound in the output, in seconds.
    let seconds: Double?
    /// The time for the work, in seconds.
    let wallSeconds: Double
    let findings: [RenderFinding]
    let faults: [JobOutcome.Fault]
    let replacedBlocks: UInt64
    let error: String?
    let exitStatus: Int32

    init(_ file: BatchFile, _ outcome: JobOutcome, wallSeconds: Double?) {
        (input, output) = (file.input, file.output)
        status = wallSeconds == nil ? .skipped : outcome.hasFailed ? .failed : .rendered
        seconds = outcome.seconds
        self.wallSeconds = ((wallSeconds ?? 0) * 1000).rounded() / 1000
        (findings, faults, replacedBlocks) = (outcome.findings, outcome.faults, outcome.replacedBlocks)
        (error, exitStatus) = (outcome.error, outcome.exitStatus)
    }

    /// One line of JSON.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return PrintableText.escaped(json: String(decoding: try encoder.encode(self), as: UTF8.self))
        }
    }

    /// One line of text.
    var text: StyledText {
        let length = seconds.map { ", \($0.digits(1)) s of sound" } ?? ""
        return switch status {
        case .rendered: "rendered  \(output)\(length) in \(wallSeconds.digits(1)) s"
        case .skipped: "skipped   \(output), which was rendered before"
        case .failed: "\(StyledText.alarming("failed")) \(StyledText("   \(output)"))"
        }
    }
}
