// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Processes that are started, watched, killed and reaped.

import Glibc
import LinuxSystem
import Testing

@Suite struct ChildProcessTests {
    @Test(arguments: [0, 1, 42, 255] as [Int32])
    func anExitCodeIsReportedAsItIs(code: Int32) throws {
        let child = try TestChild("exit", "\(code)")
        #expect(child.process.wait(milliseconds: 5000) == .exited(code: code))
        #expect(child.process.poll() == .exited(code: code))
        #expect(child.process.kill() == .exited(code: code))
    }

    @Test(arguments: [SIGKILL, SIGTERM, SIGABRT, SIGSEGV])
    func aSignalIsReportedAsItIs(signal: Int32) throws {
        let child = try TestChild("raise", "\(signal)", environment: ["SWIFT_BACKTRACE": "enable=no"])
        #expect(child.process.wait(milliseconds: 5000) == .signalled(signal: signal))
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

    @Test func itReadsNothingAndPrintsWhereErrorsGo() throws {
        var bytes = [UInt8](repeating: 0, count: 4096)
        bytes.removeLast(bytes.count - max(0, readlink("/proc/self/fd/2", &bytes, bytes.count)))
        let own = String(decoding: bytes, as: UTF8.self)
        #expect(try TestChild("links").hear() == "/dev/null \(own) \(own)")
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
}
