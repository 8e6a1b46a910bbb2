// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders one file of a batch in a process of its own: this program with the same options and one input.
//
// Engines in one process would be lighter. But a process shares nothing with its neighbours. A crash of a plug-in in the host, a
// host without memory, descriptors or threads, and a kill from outside each cost one file. And each file is rendered exactly as by
// `bulkhead render IN OUT`, so that its bits do not depend on other files. Main thread.

import Confinement
import Console
import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting

/// The process of a file.
final class RenderJob {
    let file: BatchFile
    /// The size and the times of the input before it was read.
    let inputTime: FileTime?
    private let child: ChildProcess
    /// The process ends when the last copy of this end is closed.
    private let lifeline: ControlSocket
    private let report: Descriptor
    private let started = MonotonicClock.now()
    private var output = JobOutput()

    /// Starts the process; `words` are the options for rendering.
    init(_ file: BatchFile, _ words: [String]) throws(SystemError) {
        self.file = file
        inputTime = FileTime(of: file.input)
        let (own, theirs) = try ControlSocket.pair()
        lifeline = own
        report = try Descriptor.memoryFile(named: "bulkhead-job")
        let arguments = [RenderCommand.name, ServedRender.option] + words + [Arguments.endOfOptions, file.input, file.output]
        var environment = ProcessInfo.processInfo.environment
        // Long reports on a plug-in's crash would hide the lines on the other files.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        child = try ChildProcess(
            path: "/proc/self/exe", arguments: arguments, environment: environment, control: theirs, lending: report.number)
    }

    /// The descriptors to wait for.
    var descriptors: [Int32] { [child.pidfd, output.hasEnded ? -1 : child.output?.descriptor ?? -1] }

    var wallSeconds: Double { Double(MonotonicClock.now() - started) / 1e9 }

    /// Takes the lines that the process has printed since the last call, as sentences that name the file.
    func takeSentences() -> [String] {
        guard let socket = child.output else { return [] }
        output.take(from: socket)
        return output.takeLines(isOver: child.poll() != nil).map(naming)
    }

    /// The outcome of the file; nil while the process runs.
    func outcome() -> JobOutcome? {
        guard let end = child.poll() else { return nil }
        if end == .exited(code: 0), let outcome = JobOutcome(from: report.number) { return outcome }
        let sentence = "Couldn't render \"\(file.output)\": the process that rendered it \(PluginFault(end))."
        // The kernel kills a process in this way when memory runs out.
        if end == .signalled(signal: SIGKILL) { return JobOutcome(failure: .failedForNow(sentence)) }
        return JobOutcome(failure: .failed(sentence))
    }

    func send(signal: Int32) { child.send(signal: signal) }

    func kill() { _ = child.kill() }

    private func naming(_ line: String) -> String {
        let sentence = line.hasPrefix(Terminal.errorPrefix) ? String(line.dropFirst(Terminal.errorPrefix.count)) : line
        let isNamed = [file.input, file.output].contains { sentence.contains("\"\($0)\"") }
        return isNamed ? sentence : "\(file.input): \(sentence)"
    }
}

/// The output of a process, as lines.
private struct JobOutput {
    /// The longest line; longer ones are cut.
    private static let longest = 1 << 16
    /// The most reads at a time, because endless output must not hold up the batch.
    private static let mostReads = 16
    private var bytes: [UInt8] = []
    private(set) var hasEnded = false

    mutating func take(from socket: OutputSocket) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.longest, alignment: 16)
        defer { buffer.deallocate() }
        for _ in 0..<Self.mostReads {
            switch socket.read(into: buffer) {
            case .bytes(let count): bytes += buffer[..<count]
            case .nothingYet: return
            case .end:
                hasEnded = true
                return
            }
        }
    }

    /// The complete lines, and also the last one if no more bytes come.
    mutating func takeLines(isOver: Bool) -> [String] {
        let end = isOver || bytes.count > Self.longest ? bytes.endIndex : bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let lines = bytes[..<end].split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        bytes.removeFirst(end)
        return lines
    }
}
