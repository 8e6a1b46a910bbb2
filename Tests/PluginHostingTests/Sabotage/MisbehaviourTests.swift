// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a plug-in can do with its own process: end by each signal, hoard, fork, put out denormals.

import AudioUnits
import Glibc
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(3))) struct MisbehaviourTests {
    /// The numbers of the Misbehaver's faults.
    enum Fault: UInt8 {
        case signal = 13
        case denormals, leak, forkStorm, threadStorm, busyThreads
    }

    private static func play(
        _ fault: Fault, _ argument: UInt8 = 0, _ heard: Heard = .nothing, _ reported: [String] = []
    ) throws {
        try Sabotage(.misbehaver, fault.rawValue, argument, .middle, heard, reported).play()
    }

    /// The signals after which the process does not end.
    ///
    /// A terminal's stop signals have no effect when the parent is in another session.
    private static let ignored: Set<Int32> = [SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGTSTP, SIGTTIN, SIGTTOU]
    private static let all = Array(Int32(1)...31) + [34, 64]

    @Test(arguments: all.filter { !ignored.contains($0) && $0 != SIGSTOP && $0 != SIGSYS })
    func aUnitThatEndsItselfByASignalIsStartedAnew(signal: Int32) throws {
        try Self.play(.signal, UInt8(signal), .standInUntilBack, ["signalled"])
    }

    @Test func aUnitThatEndsAsTheFilterEndsOneIsReportedAsThat() throws {
        try Self.play(.signal, UInt8(SIGSYS), .standInUntilBack, ["confinementViolation"])
    }

    @Test(arguments: ignored) func aSignalThatMeansNothingIsNotHeard(signal: Int32) throws {
        try Self.play(.signal, UInt8(signal))
    }

    @Test func aUnitThatStopsItselfIsEnded() throws {
        try Self.play(.signal, UInt8(SIGSTOP), .standInUntilBack, ["stopped", "hung"])
    }

    /// Its memory, and everything that it started, goes away with it.
    @Test(arguments: [Fault.leak, .forkStorm, .busyThreads])
    func hoardingWithinItsLimitsIsNotHeard(fault: Fault) throws {
        try Self.play(fault)
    }

    @Test func denormalsAreNumbersAndHoldNobodyUp() throws {
        let scene = try SabotageScene(.middle, .misbehaver)
        scene.render(10)
        try scene.culprit.unit.send(MIDIMessage(0xB0, Fault.denormals.rawValue, 0))
        scene.render(10)
        let length = SabotageScene.blockLength
        // The next unit flushes them to zero or passes them on.
        let isQuiet = scene.heard[10 * length..<11 * length].allSatisfy { abs($0) < .leastNormalMagnitude }
        let isTheSameElsewhere = scene.heard[..<(10 * length)] == scene.expected[..<(10 * length)]
        #expect(isQuiet && isTheSameElsewhere && scene.heardBeside == scene.expectedBeside)
        #expect(scene.heard.suffix(5 * length) == scene.expected.suffix(5 * length))
        #expect(scene.row.members.allSatisfy { $0.faults.records.allSatisfy { $0.fault == .late } })
    }
}
