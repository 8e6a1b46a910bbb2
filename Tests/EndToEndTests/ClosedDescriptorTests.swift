// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A command without standard descriptors, without /proc, or without a free descriptor. Test thread.

import Foundation
import TestSupport
import Testing

extension Commands {
    @Suite struct ClosedDescriptorTests {
        @Test func whatIsForTheUserIsWrittenIntoNoFileOfTheCommand() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let closed = #"exec "$@" <&- >&- 2>&-"#
            let rendered = try bench.run(
                ["render", "in.wav", "out.wav", "-e", "Gain", "--set", "gain=24", "--trace", "trace.txt"], shell: closed)
            #expect(rendered.status == 0 || rendered.status == 1)
            let usual = try bench.run("render", "in.wav", "usual.wav", "-e", "Gain", "--set", "gain=24", "--trace", "usual.txt")
            usual.expectSuccess()
            #expect(bench.bytes("out.wav") == bench.bytes("usual.wav"))
            // The lines of a trace begin with a time, those for the user with a word.
            let lines = String(decoding: bench.bytes("trace.txt"), as: UTF8.self).split(separator: "\n")
            #expect(!lines.isEmpty && !lines.contains { $0.contains("bulkhead:") || $0.contains("clipped") }, "\(lines.prefix(20))")
        }

        /// A plug-in's socket must not get what is for standard output.
        @Test func outputThatIsLostIsAnError() throws {
            let bench = try Workbench()
            let outcome = try bench.run(["info", "Gain"], shell: #"exec "$@" >&-"#)
            outcome.expectComplaint(status: 1, "standard output")
            let silent = try bench.run(["info", "Gain"], shell: #"exec "$@" 2>&-"#)
            silent.expectSuccess()
        }

        @Test func argumentsAreReadWithoutProc() throws {
            let bench = try Workbench()
            let outcome = try bench.run(
                ["--version"], shell: #"exec unshare -rm sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@""#)
            #expect(outcome.status == 0 && outcome.output.hasPrefix("bulkhead "), "\(outcome.output)\(outcome.errors)")
        }

        /// The listening socket stays readable meanwhile, and the thread must not try again and again.
        @Test func aClientWaitsWhileThereIsNoDescriptor() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let host = try bench.start("play", "in.wav", "--driver", "null", "--loop", "-e", "Gain")
            try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
            // Keeping the session for --resume takes descriptors, and a second at most.
            try #require(eventually(within: 20) { bench.exists(".local/state/bulkhead/play.json") })
            func allow(_ count: String) throws {
                let process = try Process.run(
                    URL(fileURLWithPath: "/usr/bin/prlimit"), arguments: ["--pid", "\(host.identifier)", "--nofile=\(count):"])
                process.waitUntilExit()
                try #require(process.terminationStatus == 0)
            }
            try allow("3")
            let client = try bench.start("ctl", "status")
            usleep(500_000)
            let before = try ProcessTable.processorSeconds(of: host.identifier)
            usleep(1_500_000)
            #expect(try ProcessTable.processorSeconds(of: host.identifier) - before < 0.75)
            #expect(!client.hasEnded)
            try allow("1024")
            #expect(client.wait(seconds: 10).status == 0)
            #expect(try bench.run("ctl", "stop").status == 0)
            host.wait(seconds: 10).expectSuccess()
        }
    }
}
