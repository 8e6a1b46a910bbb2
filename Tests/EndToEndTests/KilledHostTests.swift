// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is left of a host that was killed, also where the kernel makes no namespaces, as in many containers.

import Foundation
import Testing

extension Commands {
    @Suite struct KilledHostTests {
        /// Runs the command where nobody can have a namespace: in one whose limits say so, or here, if even that is refused.
        private static let withoutNamespaces = #"""
            unshare --user --map-root-user true 2>/dev/null || exec "$@"
            exec unshare --user --map-root-user sh -c '
                for limit in /proc/sys/user/max_*_namespaces; do echo 0 >"$limit" || exit 99; done
                exec "$@"' sh "$@"
            """#

        /// Whether that can be had: some containers make namespaces and let nobody limit them.
        private static var canDoWithout: Bool {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", withoutNamespaces, "sh", "true"]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }

        /// One effect renders, and one stands still and cannot notice anything.
        @Test(arguments: [nil, withoutNamespaces]) func noEffectOutlivesAKilledHost(shell: String?) throws {
            let bench = try Workbench()
            try bench.writeTone()
            let arguments = ["play", "in.wav", "--driver", "null", "--loop", "-e", "Gain", "-e", "Filter"]
            // The kernel has processes that stand still go on when their parent has gone, but not those that are just about to.
            for _ in 0..<5 {
                let playing = try bench.start(arguments, shell: shell)
                #expect(eventually(within: 20) { playing.output.contains("Playing") })
                kill(try playing.process(ofEffect: "Filter"), SIGSTOP)
                playing.send(SIGKILL)
                let outcome = playing.wait(seconds: 5)
                #expect(outcome.status == nil && outcome.leftovers.isEmpty)
            }
        }

        /// The processes that end an effect's descendants stand still, and the effects as well.
        @Test(arguments: [nil, withoutNamespaces]) func whatKeepsAnEffectsProcessesEndsWithItsHostEvenIfItStandsStill(
            shell: String?
        ) throws {
            let bench = try Workbench()
            try bench.writeTone()
            let playing = try bench.start(
                ["play", "in.wav", "--driver", "null", "--loop", "-e", "Gain", "-e", "Filter"], shell: shell)
            #expect(eventually(within: 20) { playing.output.contains("Playing") })
            // Each effect has a process of its own and one that keeps it.
            let children = ProcessTable.children(of: playing.identifier)
            #expect(children.count >= 4)
            for child in children { kill(child, SIGSTOP) }
            playing.send(SIGKILL)
            let outcome = playing.wait(seconds: 5)
            #expect(outcome.status == nil && outcome.leftovers.isEmpty)
            let hasEnded = eventually(within: 5) { children.allSatisfy { kill($0, 0) < 0 && errno == ESRCH } }
            #expect(hasEnded)
            for child in children { kill(child, SIGKILL) }
        }

        /// Its main thread is inside the plug-in's library, and does not come back.
        @Test(arguments: [nil, withoutNamespaces]) func noScanOutlivesAKilledHost(shell: String?) throws {
            let bench = try Workbench.withScriptedBridges(adding: ["TMPDIR": "."])
            try bench.library("stuck", "hang")
            let scanning = try bench.start(["scan"], shell: shell)
            _ = try scanning.process(ofEffect: "ScriptedBridge", in: "LADSPA")
            usleep(300_000)
            scanning.send(SIGKILL)
            let outcome = scanning.wait(seconds: 5)
            #expect(outcome.status == nil && outcome.leftovers.isEmpty)
        }

        @Test(.enabled(if: canDoWithout, "This machine has namespaces, and nobody may do away with them."))
        func whatAKilledHostLeavesIsRemovedByTheNext() throws {
            let bench = try Workbench.withScriptedBridges(adding: ["TMPDIR": "temporary"])
            let temporary = bench.path("temporary")
            try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
            func folders() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: temporary) }
            try bench.library("amp", "unit mono Mono Amplifier")
            try bench.writeTone()
            let arguments = ["play", "in.wav", "--driver", "null", "--loop", "-e", "mono"]
            let playing = try bench.start(arguments, shell: Self.withoutNamespaces)
            #expect(eventually(within: 20) { playing.output.contains("Playing") })
            let folder = try #require(try folders().first)
            // A link that leads out of the folder is removed, and nothing that it leads to.
            try FileManager.default.createSymbolicLink(
                atPath: "\(temporary)/\(folder)/link", withDestinationPath: bench.folder)
            playing.send(SIGKILL)
            let outcome = playing.wait(seconds: 5)
            #expect(outcome.status == nil && outcome.leftovers.isEmpty)
            #expect(try folders() == [folder])
            try bench.run(["render", "in.wav", "out.wav", "-e", "Gain", "--set", "gain=-3"], shell: Self.withoutNamespaces)
                .expectSuccess()
            #expect(try folders().isEmpty && bench.exists("in.wav"))
        }
    }
}
