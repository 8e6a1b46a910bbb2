// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a process can do through the descriptor that its error messages go to. Each test in a process of its own.

import CLinuxShims
import FoundationEssentials
import Glibc
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import Confinement
@testable import PluginHosting

/// The kinds of files that a user's standard error may be.
enum ErrorKind: String, CaseIterable, Codable {
    case terminal, log, pipe

    /// The ways that are open to a process that has such a file as its own standard error.
    var ways: [String] {
        switch self {
        case .terminal: ["identify", "count", "read", "reopen"]
        case .log: ["identify", "empty", "reopen"]
        case .pipe: ["identify", "count", "reopen"]
        }
    }

    /// Opens one in which there is something to read or to destroy.
    func open(in folder: String) throws -> Int32 {
        switch self {
        case .terminal:
            var (keyboard, terminal): (Int32, Int32) = (-1, -1)
            try #require(openpty(&keyboard, &terminal, nil, nil, nil) == 0 && write(keyboard, "secret\n", 7) == 7)
            return terminal
        case .log:
            let file = Glibc.open("\(folder)/log", O_RDWR | O_CREAT | O_APPEND, 0o600)
            try #require(write(file, "secret\n", 7) == 7)
            return file
        case .pipe:
            var ends: [Int32] = [-1, -1]
            try #require(Glibc.pipe(&ends) == 0 && write(ends[1], "secret\n", 7) == 7)
            return ends[1]
        }
    }
}

@Suite struct OutputBreakOutTests {
    private static let kinds = ErrorKind.allCases.filter { $0 != .terminal || Machine.hasTerminals }

    @Test(arguments: ConfinementProfile.allCases, kinds)
    func theHostsErrorsAreOutOfReach(profile: ConfinementProfile, kind: ErrorKind) async {
        await #expect(processExitsWith: .success) { [profile = profile.rawValue as String, kind = kind as ErrorKind] in
            let treasury = try Treasury()
            let errors = try kind.open(in: treasury.folder)
            let own = dup(2)
            try #require(dup2(errors, 2) == 2)
            let fugitive = Result { try Fugitive(try #require(ConfinementProfile(rawValue: profile)), treasury, lending: errors) }
            dup2(own, 2)
            for way in kind.ways {
                #expect(try fugitive.get().attempt("\(way)-errors", treasury).isRefusal, "\(way)")
            }
            var status = stat()
            #expect(kind != .log || fstat(errors, &status) == 0 && status.st_size == 7)
        }
    }

    /// The same attempts on the same files get through, where a process has them.
    @Test(arguments: kinds) func theWaysAreOpenToWhoHasTheFile(kind: ErrorKind) async {
        await #expect(processExitsWith: .success) { [kind = kind as ErrorKind] in
            let treasury = try Treasury()
            let errors = try kind.open(in: treasury.folder)
            let fugitive = try Fugitive(.off, treasury, lending: errors)
            for way in kind.ways { #expect(try fugitive.attempt("\(way)-lent", treasury) == .gotThrough, "\(way)") }
            var status = stat()
            #expect(kind != .log || fstat(errors, &status) == 0 && status.st_size == 0)
        }
    }

    @Test(arguments: ConfinementProfile.allCases) func endlessOutputCostsTheUserLittle(profile: ConfinementProfile) async {
        await #expect(processExitsWith: .success) { [profile = profile.rawValue as String] in
            let shown = Shown()
            let treasury = try Treasury()
            let fugitive = try Fugitive(try #require(ConfinementProfile(rawValue: profile)), treasury)
            let start = MonotonicClock.now()
            OutputReader.shared.follow(fugitive.process, as: "Fugitive")
            #expect(try fugitive.attempt("flood-errors", treasury) == .gotThrough, "it never waits for long")
            _ = fugitive.process.kill()
            OutputReader.shared.settle(milliseconds: 5000)
            let seconds = Double(MonotonicClock.now() - start) / 1e9
            let (lines, leftOut) = shown.sums
            #expect(lines > 60_000)
            #expect(Double(lines) <= Double(OutputAllowance.burst) + seconds * Double(OutputAllowance.perSecond))
            // Each byte is accounted for. A shown line has the plug-in's name before it.
            let names = (lines + 89) / 90 * 10
            #expect(abs(100 << 20 - leftOut - (lines - names)) < 1000)
        }
    }

    @Test func outputIntoAFileHasNoLimit() async {
        await #expect(processExitsWith: .success) {
            let treasury = try Treasury()
            let log = try ErrorKind.log.open(in: treasury.folder)
            let fugitive = try Fugitive(.off, treasury, lending: log)
            #expect(try fugitive.attempt("flood-lent", treasury) == .gotThrough)
            var status = stat()
            #expect(fstat(log, &status) == 0 && status.st_size == 4 << 20 + 7)
        }
    }

    @Test(arguments: ConfinementProfile.allCases) func descriptorsThatArePassedAlongAreClosed(profile: ConfinementProfile) async {
        await #expect(processExitsWith: .success) { [profile = profile.rawValue as String] in
            let treasury = try Treasury()
            let fugitive = try Fugitive(try #require(ConfinementProfile(rawValue: profile)), treasury)
            OutputReader.shared.follow(fugitive.process, as: "Fugitive")
            let before = try Self.descriptorCount()
            #expect(try fugitive.attempt("pass-descriptors", treasury) == .gotThrough)
            OutputReader.shared.settle(milliseconds: 5000)
            #expect(try Self.descriptorCount() == before)
        }
    }

    /// A reader that takes descriptors gets those.
    @Test func descriptorsAreThereToBeTaken() async {
        await #expect(processExitsWith: .success) {
            let treasury = try Treasury()
            let fugitive = try Fugitive(.off, treasury)
            let socket = try #require(fugitive.process.output)
            let before = try Self.descriptorCount()
            #expect(try fugitive.attempt("pass-descriptors", treasury) == .gotThrough)
            var (byte, numbers, count): (UInt8, [Int32], Int32) = (0, Array(repeating: -1, count: 16), 0)
            #expect(CLinuxShims_receive(socket.descriptor, &byte, 1, &numbers, &count) == 1)
            #expect(try count == 16 && Self.descriptorCount() == before + 16)
        }
    }

    private static func descriptorCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}

/// The bytes of the lines that were shown, and those that were left out.
private final class Shown: Sendable {
    private let counts = Mutex((lines: 0, leftOut: 0))

    init() {
        HostConfiguration.current.pluginOutput = { [self] output in
            counts.withLock { counts in
                switch output {
                case .line: counts.lines += output.description.utf8.count + 1
                case .leftOut(_, let byteCount): counts.leftOut += byteCount
                }
            }
        }
    }

    var sums: (lines: Int, leftOut: Int) { counts.withLock { $0 } }
}
