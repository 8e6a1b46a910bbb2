// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// --record: what is heard is in the file, however the command ends, and a full disk ends the recording alone.

import AudioFiles
import Foundation
import PipeWireIO
import Testing

extension Commands {
    @Suite struct RecordOptionTests {
        private let arguments = ["play", "in.wav", "--driver", "null", "-e", "Gain", "--set", "gain=-6"]

        @Test(.timed("plays in real time, and a late block is heard as its input"), arguments: ["take.wav", "take.flac"])
        func whatIsPlayedIsInTheFile(name: String) throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 48_000)
            try bench.run(arguments + ["--record", name]).expectSuccess()
            let audio = try bench.load(name)
            #expect(audio.channelCount == 2 && audio.sampleRate == 48_000 && audio.frameCount >= 48_000)
            // A sine of 0.25, 6 dB lower, for a second.
            #expect(abs(audio.peak(ofChannel: 0) - 0.1253) < 0.002)
            #expect(audio[0].count { abs($0) > 0.01 } > 40_000)
        }

        @Test(.timed("plays for seconds")) func afterCtrlCTheFileIsComplete() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let playing = try bench.start(arguments + ["--loop", "--record", "take.flac"])
            #expect(eventually(within: 20) { playing.output.contains("Playing") })
            usleep(1_500_000)
            playing.send(SIGINT)
            playing.wait(seconds: 10).expectSuccess()
            #expect(try bench.load("take.flac").frameCount > 48_000)
            #expect(bench.names(except: ["in.wav"]).filter { $0.contains("take") } == ["take.flac"])
        }

        @Test(.timed("plays for seconds")) func afterAKillTheFileHasAllButTheLastSecond() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let playing = try bench.start(arguments + ["--loop", "--record", "take.wav"])
            #expect(eventually(within: 20) { playing.output.contains("Playing") })
            usleep(3_000_000)
            playing.send(SIGKILL)
            _ = playing.wait(seconds: 10)
            let count = try bench.load("take.wav").frameCount
            #expect(count > 2 * 48_000 - 8192, "\(count)")
        }

        @Test(.enabled(if: geteuid() == 0, "nothing can be mounted here")) func aFullDiskEndsTheRecordingAlone() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 144_000)
            try FileManager.default.createDirectory(atPath: bench.path("disk"), withIntermediateDirectories: true)
            let mounted = #"mount -t tmpfs -o size=400k none disk; "$@"; status=$?; cp disk/take.wav .; exit $status"#
            let outcome = try bench.run(
                arguments + ["--record", "disk/take.wav"], shell: "exec unshare -rm sh -c '\(mounted)' sh \"$@\"")
            outcome.expectComplaint(status: 75, "\"disk/take.wav\"", "the disk is full")
            #expect(outcome.output.contains("The recording has ended there; what plays goes on."), "\(outcome.output)")
            // Up to 400 kB of two channels of four bytes.
            #expect((40_000...51_200).contains(try bench.load("take.wav").frameCount))
        }

        @Test func aGraphIsRecordedToo() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let graph =
                #"{"bulkheadGraph": 1, "nodes": [{"id": "song", "kind": "player", "files": [{"path": "in.wav"}]}], "#
                + #""connections": [{"from": "song", "to": "main"}]}"#
            try bench.write("song.json", Array(graph.utf8))
            try bench.run("graph", "play", "song.json", "--driver", "null", "--record", "take.wav").expectSuccess()
            let audio = try bench.load("take.wav")
            #expect(abs(audio.peak(ofChannel: 1) - 0.25) < 0.001 && audio.frameCount >= 24_000)
        }

        @Test func theMetronomeIsRecordedOnlyIfAskedFor() throws {
            let bench = try Workbench()
            try bench.writeSamples("in.wav", [Float](repeating: 0, count: 96_000))
            for options in [[], ["--record-metronome"]] {
                let all = ["play", "in.wav", "--driver", "null", "-e", "Gain", "--metronome", "240/3", "--record", "take.wav"]
                try bench.run(all + options).expectSuccess()
                let audio = try bench.load("take.wav")
                // Four clicks a second, up to the end of the file.
                #expect((96_000..<6 * 48_000).contains(audio.frameCount), "\(audio.frameCount)")
                let heard = [0] + audio[0].indices.filter { audio[0][$0] != 0 }
                let starts = zip(heard, heard.dropFirst()).filter { $1 - $0 > 1500 }.map(\.1)
                #expect(options.isEmpty ? audio.peak(ofChannel: 0) == 0 : starts.count >= 6, "\(starts)")
                #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 == 12_000 }, "\(starts)")
            }
        }

        @Test func whatCannotBeRecordedIsRefused() throws {
            let bench = try Workbench()
            try bench.writeTone()
            try bench.run(arguments + ["--record", "take.txt"]).expectComplaint(status: 2, "--record", ".wav", "\"take.txt\"")
            try bench.run(arguments + ["--record", "in.wav"]).expectComplaint(status: 2, "\"in.wav\" would be read and written")
            try bench.run(arguments + ["--record", "nowhere/take.wav"]).expectComplaint(status: 1, "\"nowhere\"")
            try bench.run(arguments + ["--metronome", "5000"]).expectComplaint(status: 2, "--metronome", "\"5000\"")
        }
    }
}

extension EndToEnd {
    @Suite struct RecordLiveTests {
        @Test func aLiveChainIsRecordedWithItsMetronome() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            let live = try bench.start(
                "live", "-e", "Gain", "--output", session.sinkName, "--metronome", "240/2", "--record-metronome", "--record",
                "take.wav")
            #expect(eventually(within: 20) { live.output.contains("Live") })
            usleep(3_000_000)
            live.send(SIGINT)
            live.wait(seconds: 10).expectSuccess()
            let audio = try bench.load("take.wav")
            let starts = audio[0].indices.dropFirst(1500).filter { index in
                audio[0][index] != 0 && audio[0][index - 1500..<index].allSatisfy { $0 == 0 }
            }
            #expect(starts.count >= 6 && zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 == 12_000 }, "\(starts)")
        }
    }
}
