// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Another user of the machine, who knocks at the socket of a host. Test thread.

import Foundation
import TestSupport
import Testing

@testable import Control

@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can become another user")) struct OtherUserTests {
    /// What another user's process got, and the error number with which it failed.
    private func knock(_ path: String) throws -> (text: String, status: Int32) {
        // The build may lie where no other user reads.
        let program = FileManager.default.temporaryDirectory.appendingPathComponent("knock-\(UUID().uuidString)")
        try FileManager.default.copyItem(atPath: TestChild.path, toPath: program.path)
        defer { try? FileManager.default.removeItem(at: program) }
        chmod(program.path, 0o755)
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = program
        process.arguments = ["knock", path, "65534"]
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }

    @Test func anotherUserCannotReachTheSocket() throws {
        let bench = try ControlBench([("Gain", "Gain")])
        let outcome = try knock(try bench.address.path)
        #expect(outcome.status == EACCES && outcome.text.isEmpty)
        #expect(!bench.session.isStopped)
    }

    /// A link leads around the closed folder: the host looks at who it is.
    @Test func anotherUserWhoReachesTheSocketIsTurnedAway() throws {
        let bench = try ControlBench([("Gain", "Gain")])
        let path = try bench.address.path
        let others = FileManager.default.temporaryDirectory.appendingPathComponent("socket-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: others, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: others) }
        chmod(others, 0o755)
        try FileManager.default.linkItem(atPath: path, toPath: "\(others)/s")
        chmod(path, 0o777)
        let outcome = try knock("\(others)/s")
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("\"forbidden\"") && outcome.text.contains("belongs to another user"))
        #expect(outcome.text.split(separator: "\n").count == 1)
        #expect(!bench.session.isStopped)
        #expect(try bench.client().call("status")["host"] != nil)
    }
}
