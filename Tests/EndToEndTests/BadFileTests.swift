// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Files that cannot be read or written: one sentence, and nothing left behind.

import Foundation
import Testing

extension Commands {
    @Suite struct BadFileTests {
        /// A workbench with one file of every bad kind.
        private func bench() throws -> Workbench {
            let bench = try Workbench()
            try bench.writeTone()
            try bench.write("empty.wav", [])
            try bench.write("arguments.wav", Array("just arguments\n".utf8))
            try bench.write("cut.wav", Array(bench.bytes("in.wav").prefix(5000)))
            try bench.writeWave("none.wav", channels: 0)
            try bench.writeWave("many.wav", channels: 64)
            try bench.writeWave("slow.wav", rate: 1)
            try bench.writeWave("fast.wav", rate: 1_000_000)
            return bench
        }

        private static let inputs: [(name: String, reason: String)] = [
            ("missing.wav", "there is no such file"), ("empty.wav", "it is empty"), ("arguments.wav", "isn't an audio file"),
            ("cut.wav", "cut short"), ("none.wav", "it has 0 channels"), ("many.wav", "it has 64 channels"),
            ("slow.wav", "1 Hz"), ("fast.wav", "1000000 Hz"), (".", "it is a folder"), ("", "there is no such file"),
        ]

        @Test(arguments: inputs) func aFileThatCannotBeReadIsNamed(name: String, reason: String) throws {
            let bench = try bench()
            let before = bench.names()
            try bench.run("render", name, "out.wav", "-e", "Gain")
                .expectComplaint(status: 1, "Couldn't read \"\(name)\"", reason)
            try bench.run("play", name, "--driver", "null", "-e", "Gain", "--report", "report.json")
                .expectComplaint(status: 1, "Couldn't read \"\(name)\"", reason)
            #expect(bench.names() == before)
        }

        private static let outputs: [(name: String, reason: String)] = [
            ("out.xyz", "must end in one of .wav"), ("out", "must end in"), ("", "Couldn't write \"\""),
            ("nowhere/out.wav", "create it first"), ("/proc/out.wav", "permission denied"), (".", "Couldn't write \".\""),
        ]

        @Test(arguments: outputs) func aFileThatCannotBeWrittenIsNamed(name: String, reason: String) throws {
            let bench = try Workbench()
            try bench.writeTone()
            try bench.run("render", "in.wav", name, "-e", "Gain").expectComplaint(status: 1, "Couldn't write", reason)
            #expect(bench.names() == ["in.wav"])
        }

        @Test(arguments: ["in.wav", "./in.wav", "link.wav"])
        func theInputIsNeverWrittenOver(name: String) throws {
            let bench = try Workbench()
            try bench.writeTone()
            let before = bench.bytes("in.wav")
            try FileManager.default.createSymbolicLink(
                atPath: bench.path("link.wav"), withDestinationPath: bench.path("in.wav"))
            try bench.run("render", "in.wav", name, "-e", "Gain").expectComplaint(status: 2, "would be read and written")
            try bench.run("render", "in.wav", "out.wav", "--report", name).expectComplaint(status: 2, "read and written")
            try bench.run("play", "in.wav", "--driver", "null", "--report", name).expectComplaint(status: 2, "read and")
            #expect(bench.bytes("in.wav") == before && !bench.exists("out.wav"))
        }

        @Test func theReportIsNotWrittenOverTheOutput() throws {
            let bench = try Workbench()
            try bench.writeTone()
            try bench.run("render", "in.wav", "out.wav", "--report", "./out.wav")
                .expectComplaint(status: 2, "would be written twice")
            #expect(bench.names() == ["in.wav"])
        }

        @Test(arguments: [["render", "in.wav", "out.wav"], ["play", "in.wav", "--driver", "null"], ["live"], ["demo"]])
        func aReportThatCannotBeWrittenIsFoundBeforeTheWork(arguments: [String]) throws {
            let bench = try Workbench()
            try bench.writeTone()
            let outcome = try bench.run(arguments + ["--report", "nowhere/report.json"], seconds: 5)
            outcome.expectComplaint(status: 1, "\"nowhere/report.json\"", "create it first")
            #expect(bench.names() == ["in.wav"] && outcome.output.isEmpty)
        }

        @Test(arguments: ["out.wav", "out.aiff"]) func aLimitOnTheSizeOfFilesIsNamed(name: String) throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 480_000)
            try bench.run(["render", "in.wav", name, "-e", "Gain"], shell: #"ulimit -f 1500; exec "$@""#)
                .expectComplaint(status: 1, "\"\(name)\"", "ulimit -f")
            #expect(bench.names() == ["in.wav"])
        }

        /// Whether this user may mount a file system in a namespace of its own.
        private static var mayMount: Bool {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }

        @Test(.enabled(if: mayMount, "nothing can be mounted here")) func aFullDiskIsNamed() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 480_000)
            try FileManager.default.createDirectory(atPath: bench.path("disk"), withIntermediateDirectories: true)
            let mounted = #"mount -t tmpfs -o size=64k none disk; "$@"; status=$?; ls -A disk; exit $status"#
            let outcome = try bench.run(
                ["render", "in.wav", "disk/out.wav", "-e", "Gain"], shell: "exec unshare -rm sh -c '\(mounted)' sh \"$@\"")
            outcome.expectComplaint(status: 75, "\"disk/out.wav\"", "the disk is full", "free some space")
            #expect(outcome.output.isEmpty, "left on the disk: \(outcome.output)")
        }
    }
}
