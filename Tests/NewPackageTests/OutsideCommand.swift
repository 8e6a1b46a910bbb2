// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A command that runs in a temporary folder. Test thread.

import Foundation
import TestSupport

/// A process, and all that it has printed so far.
final class OutsideCommand {
    private let process = Process()
    private let log: String

    /// Starts a command that the shell would find, with `folder` as its home and `path` in it as its current folder.
    init(_ words: [String], folder: String, in path: String, _ environment: [String: String]) throws {
        log = "\(folder)/\(UUID().uuidString).log"
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = URL(fileURLWithPath: "\(folder)/\(path)")
        let own = ["HOME": folder, "XDG_CONFIG_HOME": "\(folder)/config", "BULKHEAD": Build.command, "USER": "maker"]
        process.environment = ProcessInfo.processInfo.environment.merging(own) { $1 }.merging(environment) { $1 }
        (process.standardInput, process.standardOutput, process.standardError) = (FileHandle.nullDevice, handle, handle)
        try process.run()
    }

    deinit { try? FileManager.default.removeItem(atPath: log) }

    var output: String { String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self) }
    var isRunning: Bool { process.isRunning }

    /// Waits for the end; the exit status.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Ends it, and waits.
    ///
    /// Not by SIGTERM: a thread of the tests blocks signals, and a process inherits that.
    func end() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Looks ten times a second at what it has printed, until that is as wanted; false when time or process have ended first.
    func eventually(within seconds: Double, _ isWanted: (String) -> Bool) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while Date() < deadline, isRunning {
            if isWanted(output) { return true }
            usleep(100_000)
        }
        return isWanted(output)
    }
}
