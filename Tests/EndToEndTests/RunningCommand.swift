// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The built command while it runs, and what is left when it has ended.

import Foundation
import TestSupport
import Testing

/// How the command ended.
struct Outcome: Sendable {
    /// The exit status, or nil when a signal ended it or it took too long.
    let status: Int32?
    let output: String
    /// Standard error, but for the line that says that this machine confines less than it could: that is not the command's fault.
    let errors: String
    /// Whether that line was there.
    let deploresTheMachine: Bool
    fileprivate let home: String

    /// Processes with the home of its bench that outlive it for good.
    var leftovers: [String] {
        var names: [String] = []
        _ = eventually(within: 3) {
            names = ProcessTable.names(withHome: home)
            return names.isEmpty
        }
        return names
    }
}

/// A process of the command.
final class RunningCommand {
    /// The command that was built beside the tests.
    static let executable = Build.folder + "/bulkhead"
    private static let deploration =
        "bulkhead: This machine confines plug-ins less than it could. What is missing, and what to change: bulkhead doctor\n"

    private let process = Process()
    private let bench: Workbench
    private let stem: String

    init(_ arguments: [String], shell: String?, in bench: Workbench) throws {
        self.bench = bench
        stem = bench.path(UUID().uuidString)
        let command = [Self.executable] + arguments
        process.executableURL = URL(fileURLWithPath: shell == nil ? Self.executable : "/bin/sh")
        process.arguments = shell.map { ["-c", $0, "sh"] + command } ?? arguments
        process.environment = bench.environment
        process.currentDirectoryURL = URL(fileURLWithPath: bench.folder)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try Self.stream("\(stem).out.stream")
        process.standardError = try Self.stream("\(stem).err.stream")
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// A file, not a pipe: nothing waits for a reader.
    private static func stream(_ path: String) throws -> FileHandle {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }

    /// What it has printed so far.
    var output: String { text("out") }
    private var errors: String { text("err") }

    private func text(_ stream: String) -> String {
        String(decoding: FileManager.default.contents(atPath: "\(stem).\(stream).stream") ?? Data(), as: UTF8.self)
    }

    func send(_ signal: Int32) { kill(identifier, signal) }

    /// Whether it has come so far that a Ctrl-C does not simply end it.
    var heedsInterruption: Bool {
        let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        let caught = status?.components(separatedBy: "SigCgt:\t").last?.prefix(16)
        return caught.flatMap { UInt64($0, radix: 16) }.map { $0 >> UInt64(SIGINT - 1) & 1 == 1 } ?? false
    }

    /// Whether it has ended.
    var hasEnded: Bool { !process.isRunning }

    var identifier: pid_t { process.processIdentifier }

    /// Waits for the end.
    ///
    /// A command that takes too long is killed, which is a failure.
    func wait(seconds: Double = 30) -> Outcome {
        let hasEnded = eventually(within: seconds) { !process.isRunning }
        if !hasEnded {
            Issue.record("the command did not end within \(Patience.seconds(seconds)) s; so far: \(output)\(errors)")
            send(SIGKILL)
        }
        process.waitUntilExit()
        let hasExited = hasEnded && process.terminationReason == .exit
        let parts = errors.components(separatedBy: Self.deploration)
        return Outcome(
            status: hasExited ? process.terminationStatus : nil, output: output, errors: parts.joined(),
            deploresTheMachine: parts.count > 1, home: bench.folder)
    }

    /// The process of the effect with this name, once it is there.
    func process(ofEffect name: String, in bundle: String? = nil) throws -> pid_t {
        var found: pid_t?
        _ = eventually(within: 10) {
            found = ProcessTable.identifier(ofProgram: "\(bundle ?? name).bulkhead/\(name)", home: bench.folder)
            return found != nil
        }
        return try #require(found, "no process of \(name) was started")
    }
}

/// Waits until a condition holds, which takes so many seconds on a machine of one's own; see ``Patience``.
func eventually(within seconds: Double, _ condition: () throws -> Bool) rethrows -> Bool {
    try Patience.until(within: seconds, every: 10_000, condition)
}
