// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Batches that end early or are refused: what is kept, which status says so, and that no process is left behind.

import Foundation
import LinuxSystem
import TestSupport
import Testing

extension Commands {
    @Suite struct JobsEndTests {
        private static let names = (0..<6).map { "\($0).wav" }

        /// Files of which the first is short, and the others take a while.
        private func bench() throws -> Workbench {
            let bench = try Workbench(adding: ["BULKHEAD_PATH": "\(Build.folder)/TestPlugins"])
            for (index, name) in Self.names.enumerated() { try bench.writeTone(name, frames: index == 0 ? 4800 : 200_000) }
            return bench
        }

        private func arguments(_ options: [String] = ["--jobs", "2"]) -> [String] {
            ["render", "--output-folder", "out", "--block-size", "512", "-e", "Distortion", "-e", "Reverb"] + options + Self.names
        }

        private func start(_ bench: Workbench) throws -> RunningCommand {
            let batch = try bench.start(arguments())
            #expect(eventually(within: 20) { batch.output.contains("\"rendered\"") })
            return batch
        }

        private func names(_ bench: Workbench) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: bench.path("out"))) ?? []).sorted()
        }

        /// The words of the lines: how many were skipped and how many were rendered.
        private func counts(_ outcome: Outcome) -> (skipped: Int, rendered: Int) {
            let lines = outcome.output.split(separator: "\n")
            return (lines.count { $0.contains("\"skipped\"") }, lines.count { $0.contains("\"rendered\"") })
        }

        @Test(arguments: [SIGTERM, SIGINT]) func aStoppedBatchGoesOnWhereItWas(signal: Int32) throws {
            let bench = try bench()
            let batch = try start(bench)
            batch.send(signal)
            let outcome = batch.wait(seconds: 10)
            outcome.expectComplaint(status: 128 + signal, "Stopped; ", " of 6 files were not rendered.")
            let done = counts(outcome).rendered
            #expect((1..<6).contains(done))
            // Complete files and the memory of them, and nothing half-written.
            #expect(names(bench).count == done + 1)
            let second = try bench.run(arguments(), seconds: 100)
            second.expectSuccess()
            #expect(counts(second) == (done, 6 - done))
        }

        @Test func aKilledBatchLosesTheFilesUnderWayAtMost() throws {
            let bench = try bench()
            let batch = try start(bench)
            batch.send(SIGKILL)
            let outcome = batch.wait(seconds: 10)
            #expect(outcome.status == nil && outcome.leftovers.isEmpty)
            let done = counts(outcome).rendered
            let second = try bench.run(arguments(), seconds: 100)
            second.expectSuccess()
            // One may have been remembered, and not yet told.
            #expect(counts(second).skipped >= done && counts(second).skipped + counts(second).rendered == 6)
            for name in Self.names { #expect(try bench.load("out/\(name)").frameCount >= 4800) }
        }

        @Test func aKilledProcessCostsItsFileAloneAndMayBeTriedAgain() throws {
            let bench = try bench()
            let batch = try bench.start(arguments(["--jobs", "1"]))
            #expect(eventually(within: 20) { batch.output.contains("\"rendered\"") })
            // Between two files there is none.
            var child: pid_t?
            _ = eventually(within: 20) {
                child = ProcessTable.child(of: batch.identifier)
                return child != nil
            }
            let victim = try #require(child)
            kill(victim, SIGKILL)
            let outcome = batch.wait(seconds: 100)
            #expect(outcome.status == 75 && outcome.errors.contains("was ended by SIGKILL"), "\(outcome.errors)")
            #expect(outcome.errors.contains("1 of 6 files failed; see above. Try the same again later."))
            #expect(counts(outcome).rendered == 5 && outcome.leftovers.isEmpty)
            let second = try bench.run(arguments(), seconds: 100)
            second.expectSuccess()
            #expect(counts(second) == (5, 1))
        }

        @Test func twoBatchesDoNotWriteIntoOneFolder() throws {
            let bench = try bench()
            let batch = try start(bench)
            let other = try bench.run(arguments())
            #expect(other.status == 75 && other.errors.contains("Another bulkhead renders into \"out\""), "\(other.errors)")
            // By now it may have come to its end.
            batch.send(SIGTERM)
            #expect([0, 143].contains(batch.wait(seconds: 10).status))
        }

        @Test func whatCannotBeRightIsRefusedBeforeAnythingIsRendered() throws {
            let bench = try bench()
            try FileManager.default.createDirectory(atPath: bench.path("a"), withIntermediateDirectories: true)
            try bench.writeTone("a/0.wav")
            func refuse(_ arguments: [String], _ sentence: String, status: Int32 = 2) throws {
                try bench.run(["render", "-e", "Gain"] + arguments).expectComplaint(status: status, sentence)
                #expect(!bench.exists("out"))
            }
            let folder = ["--output-folder", "out"]
            try refuse(folder + ["0.wav", "a/0.wav"], "\"0.wav\" and \"a/0.wav\" would both be written to \"out/0.wav\"")
            try refuse(folder + ["--extension", "flac", "0.wav", "0.aiff"], "would both be written to \"out/0.flac\"")
            try refuse(["--output-folder", "a", "1.wav", "a/0.wav"], "\"a/0.wav\" would be read and written")
            try refuse(["--output-folder", ".", "1.wav"], "\"./1.wav\" would be read and written")
            try refuse(folder + ["a/"], "\"a/\" is a folder")
            try refuse(folder + ["-"], "not standard input")
            try refuse(folder, "Say which files to read.")
            try refuse(folder + ["--report", "r.json", "0.wav"], "--report is for one file")
            try refuse(["--jobs", "2", "0.wav", "x.wav"], "--jobs is for many files")
            try refuse(["0.wav", "x.wav", "y.wav"], "one argument too many")
            try refuse(folder + ["-e", "Gian", "0.wav"], "There is no plug-in \"Gian\"", status: 1)
            try refuse(["--served", "0.wav", "x.wav"], "own use")
            #expect(!bench.exists("a/1.wav") && !bench.exists("x.wav"))
        }

        @Test func aFolderThatCannotBeMadeIsSaid() throws {
            let bench = try bench()
            try bench.run("render", "0.wav", "--output-folder", "1.wav/deep", "-e", "Gain")
                .expectComplaint(status: 1, "Couldn't make the folder \"1.wav/deep\"")
        }

        @Test func aFullDiskMayBeTriedAgain() throws {
            let bench = try bench()
            try FileManager.default.createDirectory(atPath: bench.path("out"), withIntermediateDirectories: true)
            let mount = "mount -t tmpfs -o size=1m none out 2>/dev/null || exit 77; exec \"$@\""
            let outcome = try bench.run(arguments(), seconds: 100, shell: "exec unshare -rm sh -c '\(mount)' sh \"$@\"")
            if outcome.status == 77 || outcome.errors.contains("unshare") { try Test.cancel("nothing can be mounted here") }
            #expect(outcome.status == 75 && outcome.errors.contains("the disk is full"), "\(outcome.errors)")
        }
    }
}
