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
            let render = try bench.run(["render", "-e", "Gain"], shell: "exec \"$@\" \"$(printf 'b\\377d.wav')\" out.wav")
            render.expectComplaint(status: 1, "The argument \"b\\xffd.wav\" is not UTF-8")
        }

        @Test func ofManyFilesTheOneThatIsNotUTF8Fails() throws {
            let bench = try Workbench()
            for name in ["a.wav", "c.wav"] { try bench.writeTone(name) }
            let words = ["render", "-e", "Gain", "--output-folder", "out", "--json", "a.wav"]
            let outcome = try bench.run(words, shell: "exec \"$@\" \"$(printf 'b\\377d.wav')\" c.wav")
            #expect(outcome.status == 1 && bench.exists("out/a.wav") && bench.exists("out/c.wav"), "\(outcome.errors)")
            #expect(outcome.errors.contains("The argument \"b\\xffd.wav\" is not UTF-8"), "\(outcome.errors)")
            #expect(outcome.errors.contains("1 of 3 files failed"), "\(outcome.errors)")
            let lines = outcome.output.split(separator: "\n")
            #expect(
                lines.count == 3 && lines.count { $0.contains("\"failed\"") && $0.contains("xffd.wav") } == 1, "\(outcome.output)")
            // A name in an option fails all of them.
            let option = try bench.run(words, shell: "exec \"$@\" c.wav --preset \"$(printf '\\377')\"")
            option.expectComplaint(status: 1, "The argument \"\\xff\" is not UTF-8")
        }

        /// To Swift "é" and "e" with an accent are equal texts; to the kernel they are two names.
        @Test func namesThatLookAlikeAreTwoFiles() throws {
            let bench = try Workbench()
            let names = ["\u{e9}.wav", "e\u{301}.wav"]
            for name in names { try bench.writeTone(name) }
            try bench.run(["render", "-e", "Gain", "--set", "gain=-6", "--output-folder", "out"] + names).expectSuccess()
            #expect(bench.exists("out/\(names[0])") && bench.exists("out/\(names[1])"))
            try bench.run("render", "-e", "Gain", "--set", "gain=-6", "out/\(names[0])", "out/\(names[1])").expectSuccess()
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
