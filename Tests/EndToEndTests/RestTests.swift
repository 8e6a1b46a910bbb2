// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A command that plays while its driver asks for nothing: nobody wakes up, and whatever happens then is noticed all the same.

import Foundation
import LinuxSystem
import PipeWireIO
import Testing

extension EndToEnd {
    @Suite(.serialized) struct RestTests {
        /// A session whose daemon has been stopped while the command plays: no cycle comes any more.
        private final class Resting {
            let session: PrivatePipeWire
            let bench: Workbench
            let command: RunningCommand
            let effect: pid_t

            init() throws {
                session = try PrivatePipeWire()
                bench = try Workbench(session)
                try bench.writeTone()
                command = try bench.start("play", "in.wav", "--loop", "-e", "Gain")
                let command = command
                try #require(eventually(within: 20) { command.output.contains("Playing") })
                effect = try command.process(ofEffect: "Gain")
                usleep(500_000)
                kill(session.daemon, SIGSTOP)
                usleep(3_500_000)
            }

            deinit {
                kill(session.daemon, SIGCONT)
                session.close()
            }

            /// How often each thread of host and effect has gone to sleep so far, by the kernel's numbers.
            var sleeps: [pid_t: Int] {
                [command.identifier, effect].reduce(into: [:]) { sleeps, process in
                    for thread in Scheduling.threads(ofProcess: process) {
                        sleeps[thread] = (try? ThreadCounter(thread: thread, of: process))?.counts?.voluntarySwitches
                    }
                }
            }
        }

        // Thirteen seconds, most of them for the runtime's idle threads to end.
        @Test func nobodyWakesUpUntilTheDriverGoesOn() throws {
            let resting = try Resting()
            // The runtime gives up threads that it had at the start, some seconds after they have become idle.
            usleep(6_000_000)
            let before = resting.sleeps
            usleep(2_500_000)
            let after = resting.sleeps
            #expect(after.count >= 8 && after.allSatisfy { before[$0] == $1 }, "\(before) \(after)")
            kill(resting.session.daemon, SIGCONT)
            usleep(500_000)
            // The host renders, its loop looks twenty times a second, and the effect renders.
            let woken = resting.sleeps.filter { $1 >= after[$0, default: 0] + 5 }
            #expect(woken.count >= 3, "\(after) \(woken)")
            resting.command.send(SIGINT)
            resting.command.wait(seconds: 5).expectSuccess()
        }

        @Test func whoWantsToEndIsHeard() throws {
            let resting = try Resting()
            resting.command.send(SIGINT)
            resting.command.wait(seconds: 5).expectSuccess()
        }

        @Test func aDaemonThatGoesAwayIsNoticed() throws {
            let resting = try Resting()
            resting.session.killDaemon()
            let command = resting.command
            #expect(eventually(within: 5) { command.output.contains("PipeWire went away") })
            command.send(SIGINT)
            command.wait(seconds: 5).expectSuccess()
        }

        @Test func anEffectThatDiesIsNamedAndComesBack() throws {
            let resting = try Resting()
            kill(resting.effect, SIGKILL)
            let command = resting.command
            #expect(eventually(within: 3) { command.output.contains("Gain was ended by SIGKILL") })
            let successor = try command.process(ofEffect: "Gain")
            #expect(successor != resting.effect)
        }
    }
}
