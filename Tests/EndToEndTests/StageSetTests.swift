// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A set on stage: scenes change while plug-ins are killed, a device is unplugged and PipeWire restarts. Test thread.

import Foundation
import PipeWireIO
import TestSupport
import Testing

/// What happens during a set, and how long it takes.
private struct StagePlan {
    var switches = 16
    var kills = 4
    var restarts = 1
    var unplugs = 2
    var seconds = 20.0

    /// The hour of `make deep`; BULKHEAD_STAGE_SECONDS makes it another length, with as many events.
    static var current: StagePlan {
        let environment = ProcessInfo.processInfo.environment
        let seconds = environment["BULKHEAD_STAGE_SECONDS"].flatMap(Double.init)
        guard seconds != nil || environment["BULKHEAD_DEEP"] != nil else { return StagePlan() }
        return StagePlan(switches: 200, kills: 50, restarts: 2, unplugs: 10, seconds: seconds ?? 3600)
    }

    /// Whether the event that happens `count` times falls on this switch.
    func isDue(_ count: Int, at number: Int) -> Bool { (number + 1) * count / switches > number * count / switches }
}

/// What was heard of a set, and what was not.
private struct StageReport: Encodable {
    var switches = 0
    var kills = 0
    var restarts = 0
    var unplugs = 0
    var secondsOnStage = 0.0
    var secondsHeard = 0.0
    var cycles = 0
    var missedDeadlines = 0
    var missedWhileMachineStoodStill = 0
    var silences = 0
    var clicks = 0
    var longestSwitchMilliseconds = 0.0
}

/// The longest is an hour, by `make deep`.
@Suite(.timed("plays a set in real time"), .serialized, .timeLimit(.minutes(90))) struct StageSetTests {
    private static let effects = ["Gain", "Filter", "Delay", "Distortion", "Equalizer", "Reverb", "Gain", "Filter"]
    private static let sink = "stage"

    private struct Heard: Decodable {
        let seconds: Double
        let silenceCount, clickCount: Int
        let silences, clicks: [Place]
        let whole: Channel

        struct Place: Decodable { let seconds: Double }

        struct Channel: Decodable { let peakDBFS, rmsDBFS: Double? }
    }

    private struct Status: Decodable {
        struct Node: Decodable {
            let process: pid_t?
            let state: String?
        }

        let nodes: [Node]
    }

    private func tool(_ words: [String], in session: PrivatePipeWire) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        (process.arguments, process.environment) = (words, session.environment)
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        process.waitUntilExit()
    }

    private func plugIn(_ session: PrivatePipeWire) throws {
        let device = """
            { factory.name=support.null-audio-sink node.name="\(Self.sink)" media.class="Audio/Sink" object.linger=true
              priority.session=5000 audio.position="FL,FR" }
            """
        try tool(["pw-cli", "create-node", "adapter", device], in: session)
    }

    private func status(_ bench: Workbench) throws -> Status {
        try JSONDecoder().decode(Status.self, from: Data(try bench.run("ctl", "status", "--json").output.utf8))
    }

    /// A host that plays a tone without end through eight effects, with three scenes.
    private func takeTheStage(_ bench: Workbench) throws -> RunningCommand {
        try bench.writeTone(frames: 48_000)
        let chain = Self.effects.flatMap { effect in
            ["-e", effect] + (effect == "Reverb" || effect == "Delay" || effect == "Distortion" ? ["--set", "mix=0"] : [])
        }
        let host = try bench.start(
            ["play", "in.wav", "--loop", "--record", "take.wav", "--report", "report.json"] + chain)
        try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
        for number in 1...3 {
            #expect(try bench.run("ctl", "set", "Gain.gain=\(-number)").status == 0)
            #expect(try bench.run("ctl", "save-scene", "\(number)").status == 0)
        }
        return host
    }

    /// Kills a unit that plays; false where none does.
    private func killOne(_ bench: Workbench, _ number: Int) throws -> Bool {
        let processes = try status(bench).nodes.compactMap(\.process)
        guard !processes.isEmpty else { return false }
        return kill(processes[number % processes.count], SIGKILL) == 0
    }

    // A set of 20 seconds; the hour by `make deep`.
    @Test func theMusicGoesOnWhateverHappensOnStage() throws {
        let (plan, session) = (StagePlan.current, try PrivatePipeWire())
        defer { session.close() }
        try plugIn(session)
        let bench = try Workbench(session)
        let host = try takeTheStage(bench)
        var report = StageReport()
        let start = ContinuousClock.now
        for number in 0..<plan.switches {
            let due = start + .seconds(plan.seconds * Double(number + 1) / Double(plan.switches))
            // The kill falls before, into or after the change of scenes.
            if plan.isDue(plan.kills, at: number), try killOne(bench, number) { report.kills += 1 }
            let began = ContinuousClock.now
            let outcome = try bench.run("ctl", "scene", "\(number % 3 + 1)")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let took = (ContinuousClock.now - began) / .milliseconds(1)
            report.longestSwitchMilliseconds = max(report.longestSwitchMilliseconds, took)
            report.switches += 1
            if plan.isDue(plan.unplugs, at: number) {
                let told = host.output.components(separatedBy: "Linked to the sink").count
                try tool(["pw-cli", "destroy", Self.sink], in: session)
                #expect(eventually(within: 10) { host.output.components(separatedBy: "Linked to the sink").count > told })
                try plugIn(session)
                report.unplugs += 1
            }
            if plan.isDue(plan.restarts, at: number) {
                let told = host.output.components(separatedBy: "PipeWire is back.").count
                session.killDaemon()
                #expect(eventually(within: 10) { host.output.contains("PipeWire went away") })
                try session.reviveDaemon()
                #expect(eventually(within: 15) { host.output.components(separatedBy: "PipeWire is back.").count > told })
                try plugIn(session)
                report.restarts += 1
            }
            while ContinuousClock.now < due { usleep(10_000) }
        }
        report.secondsOnStage = (ContinuousClock.now - start) / .seconds(1)
        #expect(eventually(within: 20) { (try? status(bench).nodes.compactMap(\.state).allSatisfy { $0 == "running" }) == true })
        host.send(SIGINT)
        let outcome = host.wait(seconds: 20)
        #expect(outcome.status == 0 && outcome.leftovers.isEmpty, "\(outcome.errors)")
        try complete(&report, bench)
        #expect(report.switches == plan.switches && report.kills == plan.kills)
        #expect(report.unplugs == plan.unplugs && report.restarts == plan.restarts)
        #expect(report.silences == 0 && report.clicks == 0)
        // Heard but for the time in which PipeWire or the device was away.
        #expect(report.secondsHeard > report.secondsOnStage - 8 * Double(plan.restarts) - 3 * Double(plan.unplugs))
    }

    /// Keeps a recording with flaws beside the logs of the tests, and prints where they are.
    private func keep(_ heard: Heard, _ bench: Workbench) throws {
        print("Silences at \(heard.silences.map(\.seconds)), clicks at \(heard.clicks.map(\.seconds)) seconds.")
        let kept = "\(FileManager.default.currentDirectoryPath)/.build/tests/stage-take.wav"
        try? FileManager.default.removeItem(atPath: kept)
        try FileManager.default.copyItem(atPath: bench.path("take.wav"), toPath: kept)
    }

    /// Takes what the host and the recording say, and prints the whole.
    private func complete(_ report: inout StageReport, _ bench: Workbench) throws {
        let own = try bench.report()
        (report.cycles, report.missedDeadlines) = (own.cycles, own.missedDeadlines)
        report.missedWhileMachineStoodStill = own.missedWhileMachineStoodStill ?? 0
        let listened = try bench.run(["listen", "take.wav", "--json"], seconds: 300)
        let heard = try JSONDecoder().decode(Heard.self, from: Data(listened.output.utf8))
        (report.secondsHeard, report.silences, report.clicks) = (heard.seconds, heard.silenceCount, heard.clickCount)
        #expect((heard.whole.rmsDBFS ?? -200) > -30)
        if heard.silenceCount + heard.clickCount > 0 { try keep(heard, bench) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(report), as: UTF8.self))
    }
}
