// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Processes that are started, watched, killed and reaped.

import Confinement
import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite struct ChildProcessTests {
    @Test(arguments: [0, 1, 42, 255] as [Int32])
    func anExitCodeIsReportedAsItIs(code: Int32) throws {
        let child = try TestChild("exit", "\(code)")
        #expect(child.process.wait(milliseconds: 60_000) == .exited(code: code))
        #expect(child.process.poll() == .exited(code: code))
        #expect(child.process.kill() == .exited(code: code))
    }

    @Test(arguments: [SIGKILL, SIGTERM, SIGABRT, SIGSEGV])
    func aSignalIsReportedAsItIs(signal: Int32) throws {
        let environment = TestChild.sanitizerOptions.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let child = try TestChild("raise", "\(signal)", environment: environment)
        #expect(child.process.wait(milliseconds: 60_000) == .signalled(signal: signal))
    }

    @Test func aLivingChildHasNotEnded() throws {
        let child = try TestChild("sleep")
        #expect(child.process.poll() == nil)
        #expect(child.process.wait(milliseconds: 20) == nil)
        #expect(child.process.kill() == .signalled(signal: SIGKILL))
    }

    @Test func aDroppedChildIsKilledAndReaped() throws {
        var child: TestChild? = try TestChild("sleep")
        let identifier = try #require(child?.process.identifier)
        #expect(kill(identifier, 0) == 0)
        child = nil
        #expect(kill(identifier, 0) == -1 && errno == ESRCH)
    }

    @Test func itGetsTheControlSocketAsDescriptorThreeAndNoOtherButTheStandardOnes() throws {
        let extra = open("/dev/null", O_RDONLY)
        defer { close(extra) }
        let child = try TestChild("descriptors")
        #expect(try child.hear() == "0 1 2 3")
    }

    @Test func itReadsNothingAndPrintsIntoASocketOfItsOwn() throws {
        let links = try TestChild("links").hear().split(separator: " ")
        #expect(links.count == 3 && links[0] == "/dev/null" && links[1].hasPrefix("socket:") && links[1] == links[2])
        #expect(try TestChild("links", isQuiet: true).hear() == "/dev/null /dev/null /dev/null")
    }

    @Test func itGetsTheEnvironmentThatItIsGivenAndNoMore() throws {
        let child = try TestChild("environment", environment: ["A": "1", "B": "two words"])
        #expect(try child.hear() == "A=1 B=two words")
    }

    @Test func itsEndIsAHangUpOnTheControlSocket() throws {
        let child = try TestChild("exit", "0")
        let received = try child.control.receive(limit: 100, timeoutMilliseconds: 5000)
        #expect(received.bytes.isEmpty)
    }

    @Test(arguments: ["/nonexistent/program", "/dev/null", "/proc/self/maps"])
    func aProgramThatCannotRunIsAnError(path: String) throws {
        let (_, peer) = try ControlSocket.pair()
        #expect(throws: SystemError.self) {
            _ = try ChildProcess(path: path, arguments: [], environment: [:], control: peer)
        }
    }

    @Test func itIsInAProcessGroupOfItsOwn() throws {
        let child = try TestChild("sleep")
        #expect(getpgid(child.process.identifier) == child.process.identifier)
    }

    @Test(arguments: [0, SIGKILL]) func whatItHasStartedGoesWithItHoweverItEnds(signal: Int32) throws {
        let child = try TestChild("orphan", "\(signal)", environment: ["SWIFT_BACKTRACE": "enable=no"])
        let orphan = try #require(pid_t(try child.hear()))
        #expect(child.process.wait(milliseconds: 60_000) == (signal == 0 ? .exited(code: 0) : .signalled(signal: signal)))
        #expect(isGone(orphan))
    }

    @Test func whatADroppedChildHasStartedGoesWithIt() throws {
        let orphan: pid_t
        do {
            let child = try TestChild("orphan", "\(SIGSTOP)")
            orphan = try #require(pid_t(try child.hear()))
        }
        #expect(isGone(orphan))
    }

    @Test func itsEndIsHeardThoughAnotherHoldsItsEndOfTheSocket() throws {
        let child = try TestChild("orphan", "0")
        _ = try child.hear()
        let error = #expect(throws: SystemError.self) {
            try child.control.receive(limit: 100, timeoutMilliseconds: 5000, peerPidfd: child.process.pidfd)
        }
        #expect(error?.code == ECONNRESET)
    }

    @Test func itsLastWordsAreHeardThoughItHasEnded() throws {
        let child = try TestChild("orphan", "0")
        var ended = pollfd(fd: child.process.pidfd, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ended, 1, 60_000) == 1)
        let received = try child.control.receive(limit: 100, timeoutMilliseconds: 0, peerPidfd: child.process.pidfd)
        #expect(!received.bytes.isEmpty)
    }

    /// Whether a process that is not this one's child ends.
    ///
    /// A zombie counts as ended.
    private func isGone(_ process: pid_t) -> Bool {
        Patience.until(every: 10_000) {
            guard let file = fopen("/proc/\(process)/stat", "r") else { return true }
            defer { fclose(file) }
            var text = [UInt8](repeating: 0, count: 512)
            let count = fread(&text, 1, text.count, file)
            if String(decoding: text.prefix(count), as: UTF8.self).contains(") Z ") { return true }
            return false
        }
    }
}
