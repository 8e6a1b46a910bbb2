// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Words of a command line that look like something else, and names and places that cannot be used.

import Foundation
import Testing

extension Commands {
    @Suite struct WordTests {
        @Test func twoDashesEndTheOptions() throws {
            let bench = try Workbench()
            try bench.writeTone("-in.wav")
            try bench.run("render", "-e", "Gain", "--set", "gain=-1", "--", "-in.wav", "--out=1.wav").expectSuccess()
            #expect(try bench.load("--out=1.wav").peak(ofChannel: 0) > 0.2)
            try bench.run("preset", "save", "Gain", "--set", "gain=-6", "--", "-dash").expectSuccess()
            try bench.run("render", "-e", "Gain", "--preset", "-dash", "--", "-in.wav", "quiet.wav").expectSuccess()
            #expect(try bench.load("quiet.wav").peak(ofChannel: 0) < 0.13)
            try bench.run("preset", "delete", "Gain", "--", "-dash").expectSuccess()
            try bench.run("render", "--", "-in.wav", "out.wav", "--force").expectComplaint(status: 2, "one argument too many")
            // An option's value stays whole.
            try bench.run("preset", "save", "Gain", "--set", "gain=-1", "--", "--a=b").expectSuccess()
            try bench.run("render", "-e", "Gain", "--preset", "--a=b", "--", "-in.wav", "whole.wav").expectSuccess()
        }

        @Test func aNameThatIsNotUTF8IsRefusedWithItsBytes() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let outcome = try bench.run(["info"], shell: "exec \"$@\" \"$(printf 'b\\377d.wav')\"")
            outcome.expectComplaint(status: 1, "The argument \"b\\xffd.wav\" is not UTF-8")
        }

        @Test func aReadOnlyFileSystemIsNoMatterOfPermissions() throws {
            let bench = try Workbench()
            try bench.writeTone()
            try FileManager.default.createDirectory(atPath: bench.path("fixed"), withIntermediateDirectories: true)
            let mount = "mount -t tmpfs -o ro none fixed 2>/dev/null || exit 77; exec \"$@\""
            let outcome = try bench.run(
                ["render", "in.wav", "fixed/out.wav"], shell: "exec unshare -rm sh -c '\(mount)' sh \"$@\"")
            if outcome.status == 77 || outcome.errors.contains("unshare") { try Test.cancel("nothing can be mounted here") }
            outcome.expectComplaint(status: 1, "\"fixed/out.wav\"", "its file system is read-only")
        }
    }
}
