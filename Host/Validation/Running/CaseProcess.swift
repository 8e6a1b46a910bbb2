// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The process of a case as the validator sees it: started, listened to, and given up when it takes too long. A worker's thread.

import FoundationEssentials
import Glibc
import LinuxSystem

/// Starts the command anew for one case, and waits for its report.
final class CaseProcess {
    /// The hidden command, and the argument that says that the request comes over the control socket.
    static let command = "validate-case"
    static let servedArgument = "--served"
    /// Seconds that the process has beyond its own watchdog's.
    private static let grace = 3.0
    private static let reportLimit = 1 << 18

    private let request: CaseRequest
    private let control: ControlSocket
    private let noise: Descriptor
    private let child: ChildProcess
    private var output = NoiseTail()

    /// Runs one case in a process of `executable`. Whatever becomes of that, there is a report.
    static func run(_ request: CaseRequest, executable: String) -> CaseReport {
        let started = MonotonicClock.now()
        var report: CaseReport
        do throws(SystemError) {
            let process = try CaseProcess(request, executable: executable)
            report = process.wait()
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
        // Whoever writes there waits for room, as on a terminal; only this end looks without waiting.
        _ = fcntl(noise.number, F_SETFL, O_NONBLOCK)
        var environment = ProcessInfo.processInfo.environment
        environment["SWIFT_BACKTRACE"] = "enable=no"
        child = try ChildProcess(
            path: executable, arguments: [Self.command, Self.servedArgument], environment: environment, control: theirs)
        let body = (try? JSONEncoder().encode(request)).map { [UInt8]($0) } ?? []
        try control.send(head: [0], body: body, descriptors: [theirNoise.number], timeoutMilliseconds: 1000)
    }

    /// Listens until the report is there, the process has ended, or the time is up.
    private func wait() -> CaseReport {
        let deadline = MonotonicClock.now() + UInt64((request.caseSeconds + Self.grace) * 1e9)
        while true {
            var descriptors = [control.descriptor, noise.number, child.pidfd].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let now = MonotonicClock.now()
            guard now < deadline else { return giveUp() }
            _ = poll(&descriptors, 3, Int32((deadline - now) / 1_000_000 + 1))
            output.take(from: noise.number)
            // Its report first: a process that has ended may have left one.
            if descriptors[0].revents != 0, let report = receive() { return report }
            if descriptors[2].revents != 0 { return death() }
        }
    }

    private func receive() -> CaseReport? {
        guard let received = try? control.receive(limit: Self.reportLimit, timeoutMilliseconds: 0), !received.bytes.isEmpty,
            var report = try? JSONDecoder().decode(CaseReport.self, from: Data(received.bytes))
        else { return nil }
        _ = child.wait(milliseconds: 1000) ?? child.kill()
        output.take(from: noise.number)
        report.output = output.text
        return report
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
        _ = child.kill()
        return report(
            .hang, "The process that ran the case did not come to an end within \(Int(request.caseSeconds + Self.grace)) s.")
    }

    private func report(_ verdict: Verdict, _ sentence: String) -> CaseReport {
        output.take(from: noise.number)
        var report = CaseReport(request, findings: [Finding(verdict, sentence)], milliseconds: 0)
        report.output = output.text
        return report
    }
}

/// The beginning of what a plug-in prints; the rest is read and forgotten, so that it never waits for a reader.
private struct NoiseTail {
    private static let limit = 4000
    private var bytes: [UInt8] = []

    mutating func take(from descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return }
            bytes += buffer.prefix(count).prefix(max(0, Self.limit - bytes.count))
        }
    }

    /// Without what would steer a terminal.
    var text: String {
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter {
            $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
