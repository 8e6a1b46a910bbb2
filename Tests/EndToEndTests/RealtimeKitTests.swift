// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The ranks of somebody who may take none: the real rtkit gives them, to host and effects.

import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite(
    .timed("waits for ranks"), .serialized, .timeLimit(.minutes(2)),
    .enabled(if: PrivateSystemBus.canBeHad, "that takes root, and rtkit"))
struct RealtimeKitTests {
    /// What nobody in particular plays, with a copy of the build: the build itself may lie in root's home.
    private final class Playing {
        private static let nobody: uid_t = 65534
        private let bus: PrivateSystemBus
        private let bench: Workbench
        let command: RunningCommand

        init(hasRealtimeKit: Bool, _ words: [String]) throws {
            bus = try PrivateSystemBus(hasRealtimeKit: hasRealtimeKit)
            bench = try Workbench(adding: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
            // The folder of the sockets has the name of the program.
            let build = bench.path("build")
            try FileManager.default.createDirectory(atPath: build, withIntermediateDirectories: true)
            try bench.writeTone()
            for name in ["bulkhead", "bulkhead-keeper", "Gain.bulkhead", "Filter.bulkhead"] {
                try FileManager.default.copyItem(atPath: "\(Build.folder)/\(name)", toPath: "\(build)/\(name)")
            }
            for file in [bench.folder, bench.path("in.wav")] { chown(file, Self.nobody, Self.nobody) }
            command = try bench.start(
                ["play", "in.wav", "--driver", "null", "--quantum", "256", "--loop"] + words,
                shell: """
                    ulimit -r 0
                    shift
                    exec setpriv --reuid \(Self.nobody) --regid \(Self.nobody) --clear-groups "$HOME/build/bulkhead" "$@"
                    """)
            let command = command
            try #require(eventually(within: 20) { command.output.contains("Playing") })
        }

        deinit {
            command.send(SIGINT)
            command.wait(seconds: 5).expectSuccess()
        }

        func rank(of name: String, in process: pid_t) -> Int32? {
            let thread = Scheduling.threads(ofProcess: process).first { thread in
                let text = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/comm", encoding: .utf8)
                return text?.dropLast() == name[...]
            }
            return thread.flatMap { Scheduling.schedulingClass(ofThread: $0)?.realtimePriority }
        }
    }

    // Twenty seconds: as far as rtkit looks back when it counts what it has given, and the host asks no earlier.
    @Test func hostAndEffectsGetTheRanksThatThereAre() throws {
        let playing = try Playing(hasRealtimeKit: true, ["-e", "Gain", "-e", "Filter"])
        let host = playing.command.identifier
        let effects = try ["Gain", "Filter"].map { try playing.command.process(ofEffect: $0) }
        func ranks() -> [Int32?] {
            effects.map { playing.rank(of: "render", in: $0) }
                + ["null driver", "deadline watch"].map { playing.rank(of: $0, in: host) }
        }
        // This one has given enough after three, and gives more when it is asked again. Its highest is 20.
        #expect(eventually(within: 6) { ranks().count { $0 != 0 } == 3 }, "\(ranks())")
        #expect(eventually(within: 30) { ranks() == [1, 2, 20, 20] }, "\(ranks())")
        // A plug-in that is started anew gets its rank again. On a busy machine threads that were late have asked for theirs
        // before it, so it may have to wait for the next round.
        kill(effects[0], SIGKILL)
        let hasRank = try eventually(within: 30) {
            let next = try playing.command.process(ofEffect: "Gain")
            return next != effects[0] && playing.rank(of: "render", in: next) == 1
        }
        #expect(hasRank)
    }

    @Test func whoIsGivenNonePlaysAllTheSame() throws {
        let playing = try Playing(hasRealtimeKit: false, ["-e", "Gain"])
        let effect = try playing.command.process(ofEffect: "Gain")
        usleep(500_000)
        #expect(playing.rank(of: "render", in: effect) == 0)
        #expect(playing.rank(of: "null driver", in: playing.command.identifier) == 0)
    }
}
