// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The process of a case on the validator's side: it is started, read and ended. A worker's thread.

import Confinement
import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting
import Printing

/// A process of this command that runs one case and sends a report.
final class CaseProcess {
    /// The hidden command, and the argument for a request over the control socket.
    static let command = "validate-case"
    static let servedArgument = "--served"
    /// The seconds that the process has after its own watchdog's time.
    private static let grace = 3.0
    private static let reportLimit = 1 << 18
    /// Nanoseconds between two checks of whether the validation goes on.
    private static let sliceNanoseconds: UInt64 = 100_000_000
    /// Milliseconds that the process has to end its children after the validator hangs up.
    private static let farewellMilliseconds: Int32 = 500
    /// The most messages that are searched for a report after the end of the process.
    private static let mostMessages = 64

    private let request: CaseRequest
    private let control: ControlSocket
    private let noise: Descriptor
    private let child: ChildProcess
    private var output = NoiseTail()
    /// True if the control socket has failed, or sent something other than a report.
    ///
    /// Such a socket is always ready, so it is not polled again.
    private var isDeaf = false

    /// Runs one case in a process of `executable`.
    ///
    /// It always returns a report, unless `isStopped` becomes true.
    static func run(_ request: CaseRequest, executable: String, isStopped: () -> Bool = { false }) -> CaseReport? {
        let started = MonotonicClock.now()
        var report: CaseReport
        do throws(SystemError) {
            let process = try CaseProcess(request, executable: executable)
            guard let received = process.wait(isStopped) else { return nil }
            report = received
        } catch {
            report = CaseReport(request, findings: [Finding(.fail, "\(error)")], milliseconds: 0)
        }
        report.milliseconds = Double(MonotonicClock.now() - started) / 1e6
        return report
    }

    private init(_ request: CaseRequest, executable: String) throws(SystemError) {
        self.request = request
        let (own, theirs) = try ControlSocket.pair()
        control = own
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SystemError("make a pipe") }
        noise = Descriptor(owning: ends[0])
        let theirNoise = Descriptor(owning: ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // Writers wait for room, as on a terminal; only this end never waits.
        _ = fcntl(noise.number, F_SETFL, O_NONBLOCK)
        var environment = ProcessInfo.processInfo.environment
        environment["SWIFT_BACKTRACE"] = "enable=no"
        child = try ChildProcess(
            path: executable, arguments: [Self.command, Self.servedArgument], environment: environment, control: theirs,
            isQuiet: true)
        // The request is in shared memory, because a plug-in's paths may be longer than a message.
        // It holds texts and finite numbers, which JSON has.
        let body = (try? ReadableJSON.line(request)) ?? []
        let memory = try SharedMemory.sealed(name: "bulkhead-case", contents: body)
        try control.send(head: [0], body: [], descriptors: [theirNoise.number, memory.number], timeoutMilliseconds: 1000)
    }

    /// Waits until the report arrives, the process ends, or the time is up; nil if the validation was stopped.
    private func wait(_ isStopped: () -> Bool) -> CaseReport? {
        // Cannot trap: the option's range ends far below.
        let deadline = MonotonicClock.now() + UInt64((request.caseSeconds + Self.grace) * 1e9)
        while true {
            let now = MonotonicClock.now()
            guard now < deadline else { return giveUp() }
            // A negative descriptor has no events.
            let descriptors = [isDeaf ? -1 : control.descriptor, output.hasEnded ? -1 : noise.number, child.pidfd]
            let ready = Descriptor.awaitAny(descriptors, nanoseconds: min(Self.sliceNanoseconds, deadline - now))
            guard !isStopped() else { return leave() }
            output.take(from: noise.number)
            if ready.contains(0), let report = receive() { return report }
            if ready.contains(2) { return lastReport() ?? death() }
        }
    }

    /// Reads the next message if it is a report.
    ///
    /// After anything else the socket is ignored until the process has ended.
    private func receive() -> CaseReport? {
        let received = try? control.receive(limit: Self.reportLimit, timeoutMilliseconds: 0)
        received?.descriptors.forEach { close($0) }
        guard let bytes = received?.bytes, let said = try? ReadableJSON.value(CaseReport.self, from: bytes) else {
            isDeaf = true
            return nil
        }
        _ = child.wait(milliseconds: 1000) ?? child.kill()
        output.take(from: noise.number)
        var report = said.checked(for: request)
        report.output = output.text
        return report
    }

    /// Reads the report that a process sent before it ended.
    private func lastReport() -> CaseReport? {
        for _ in 0..<Self.mostMessages {
            if let report = receive() { return report }
        }
        return nil
    }

    /// Hangs up, so that the process ends its extension and then itself.
    private func leave() -> CaseReport? {
        control.hangUp()
        _ = child.wait(milliseconds: Self.farewellMilliseconds) ?? child.kill()
        return nil
    }

    private func death() -> CaseReport {
        let what =
            switch child.kill() {
            case .exited(let code): "ended by itself with status \(code)"
            case .signalled(let signal): "was ended by signal \(signal)"
            }
        return report(.crash, "The process that ran the case \(what): what was loaded into it has taken it along.")
    }

    private func giveUp() -> CaseReport {
        _ = leave()
        return report(
            // Cannot trap: as above.
            .hang, "The process that ran the case did not come to an end within \(Int(request.caseSeconds + Self.grace)) s.")
    }

    private func report(_ verdict: Verdict, _ sentence: String) -> CaseReport {
        output.take(from: noise.number)
        var report = CaseReport(request, findings: [Finding(verdict, sentence)], milliseconds: 0)
        report.output = output.text
        return report
    }
}

/// The beginning of a plug-in's output.
///
/// The rest is read and dropped, so that the plug-in never waits for a reader.
private struct NoiseTail {
    private static let limit = 4000
    /// The most reads at a time: endless output must not block the reader's other work.
    private static let mostReads = 16
    private var bytes: [UInt8] = []
    /// True if every writer has closed its end.
    private(set) var hasEnded = false

    mutating func take(from descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        for _ in 0..<Self.mostReads {
            let count = buffer.withUnsafeMutableBytes { SystemCall.read(descriptor, into: $0) }
            if count == 0 { hasEnded = true }
            guard count > 0 else { return }
            bytes += buffer.prefix(count).prefix(max(0, Self.limit - bytes.count))
        }
    }

    /// The output line by line, without control characters.
    var text: String {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { PrintableText.cleaned(String($0), limit: Self.limit) }.joined(separator: "\n")
    }
}
