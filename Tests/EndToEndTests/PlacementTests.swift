// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// On which processors the threads of host and effects run while something is played.

import Foundation
import LinuxSystem
import Testing

extension EndToEnd {
    @Suite(.enabled(if: Scheduling.processors(ofThread: 0).count > 1, "there is one processor here")) struct PlacementTests {
        /// A session on the null driver with one effect, and the processors of its threads.
        private final class Playing {
            let bench: Workbench
            let command: RunningCommand
            let effect: pid_t

            init(_ arguments: [String] = []) throws {
                bench = try Workbench()
                try bench.writeTone()
                let begin = ["play", "in.wav", "--driver", "null", "--quantum", "1024", "--loop", "-e", "Gain"]
                command = try bench.start(begin + arguments)
                let command = command
                try #require(eventually(within: 20) { command.output.contains("Playing") })
                effect = try command.process(ofEffect: "Gain")
            }

            deinit { command.send(SIGKILL) }

            func threads(of process: pid_t) -> [String: [(identifier: pid_t, processors: Set<Int>)]] {
                Scheduling.threads(ofProcess: process).reduce(into: [:]) { threads, thread in
                    let path = "/proc/\(process)/task/\(thread)/comm"
                    let name = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").dropLast()
                    threads[String(name), default: []].append((thread, Scheduling.processors(ofThread: thread)))
                }
            }

            var driver: (identifier: pid_t, processors: Set<Int>)? { threads(of: command.identifier)["null driver"]?.first }
            /// Where everything runs, for a test that fails.
            var whereabouts: String {
                let host = command.identifier
                let ranks = Scheduling.threads(ofProcess: host).map {
                    (Scheduling.schedulingClass(ofThread: $0)?.realtimePriority ?? -1)
                }
                return "\(String(describing: driver)), \(threads(of: effect)), \(threads(of: host)), \(ranks), \(command.output)"
            }
            /// Whether the effect renders on the host's render core.
            var isBeside: Bool {
                guard let own = driver?.processors, let other = effectProcessor else { return false }
                return own == [other]
            }
            /// Of the effect's render thread, once it has a single one.
            var effectProcessor: Int? {
                let all = threads(of: effect)["render"]?.first?.processors
                return all?.count == 1 ? all?.first : nil
            }
        }

        /// Whether threads get real-time ranks here: the kernel moves one without a rank at will, so none is placed.
        private static var hasRealtimeRanks: Bool {
            defer { try? Scheduling.set(.ordinary, ofThread: 0) }
            return (try? Scheduling.set(SchedulingClass(realtimePriority: 1), ofThread: 0)) != nil
        }

        /// What the others ask of the kernel may hold up its processor for longer than a cycle.
        @Test(.enabled(if: Self.hasRealtimeRanks, "this user may not have real-time ranks"))
        func theRenderThreadsProcessorIsItsOwn() throws {
            let playing = try Playing()
            let host = playing.command.identifier
            #expect(
                eventually(within: 5) { playing.driver?.processors.count == 1 && playing.threads(of: host)["supervisor"] != nil })
            let core = try #require(playing.driver?.processors.first)
            let areElsewhere = eventually(within: 2) {
                let others = playing.threads(of: host).filter { $0.key != "null driver" && $0.key != "deadline watch" }
                return others.count >= 3 && others.values.joined().allSatisfy { !$0.processors.contains(core) }
            }
            #expect(areElsewhere, "\(playing.threads(of: host))")
        }

        @Test(.enabled(if: Self.hasRealtimeRanks, "this user may not have real-time ranks"), arguments: ["auto", "together"])
        func effectsRenderBesideTheHost(placement: String) throws {
            let playing = try Playing(["--placement", placement])
            #expect(eventually(within: 5) { playing.isBeside }, "\(playing.whereabouts)")
        }

        @Test(
            .enabled(if: Self.hasRealtimeRanks, "this user may not have real-time ranks"), arguments: ["futex", "adaptive", "spin"])
        func effectsRenderElsewhereWhereThatIsWanted(waiting: String) throws {
            let playing = try Playing(["--placement", "spread", "--waiting", waiting])
            let isElsewhere = eventually(within: 5) {
                guard let own = playing.driver?.processors, let other = playing.effectProcessor else { return false }
                return own.count == 1 && own != [other]
            }
            #expect(isElsewhere, "\(String(describing: playing.driver)), \(playing.threads(of: playing.effect))")
        }

        /// Somebody moves the render thread: the effects follow it, and everybody else makes way.
        @Test(.enabled(if: Self.hasRealtimeRanks, "this user may not have real-time ranks"))
        func effectsFollowTheRenderThread() throws {
            let playing = try Playing()
            #expect(eventually(within: 5) { playing.isBeside }, "\(playing.whereabouts)")
            let driver = try #require(playing.driver)
            let other = try #require(Scheduling.ownProcessors.subtracting(driver.processors).min())
            try Scheduling.setProcessors([other], ofThread: driver.identifier)
            #expect(eventually(within: 5) { playing.effectProcessor == other && playing.driver?.processors == [other] })
            let host = playing.command.identifier
            let hasMadeWay = eventually(within: 2) {
                playing.threads(of: host)["supervisor"]?.first.map { !$0.processors.contains(other) } ?? false
            }
            #expect(hasMadeWay)
        }

        @Test(arguments: [("--placement", "apart", "auto, together or spread"), ("--waiting", "long", "futex, adaptive or spin")])
        func aWrongWordIsAnsweredWithTheRightOnes(option: String, word: String, right: String) throws {
            let bench = try Workbench()
            try bench.writeTone()
            let outcome = try bench.run("play", "in.wav", "--driver", "null", "-e", "Gain", option, word)
            outcome.expectComplaint(status: 2, "\(option) takes \(right), not \"\(word)\"")
        }
    }
}
