// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A fault of a plug-in, as a value. Any thread.

import Confinement
import ControlMessages
import Glibc
import LinuxSystem

/// A fault of a plug-in, with its facts.
public enum PluginFault: Error, Hashable, Sendable {
    /// Its process ended by itself.
    case exited(code: Int32)
    /// A signal ended its process.
    case signalled(signal: Int32)
    /// It did not render in time, but did later.
    case late
    /// Its render thread did not sleep between two blocks.
    case restless
    /// It did not render for this long, and the host ended it.
    case hung(milliseconds: Int)
    /// It did not render in time, because its process was stopped from outside.
    case stopped
    /// It did not answer the handshake for this long after its start.
    case handshakeTimeout(milliseconds: Int32)
    /// It did not answer a message for this long.
    case unanswered(milliseconds: Int32)
    /// It rendered audio that must not be heard, and the fallback replaced it.
    case invalidAudio(InvalidAudio)
    /// It used up its memory limit, or the kernel ended it for lack of memory.
    case outOfMemory
    /// It used up its limit of descriptors.
    case tooManyDescriptors
    /// It started as many threads as its limit allows.
    case tooManyThreads
    /// It used up its processor time beside rendering.
    case outOfProcessorTime
    /// It broke a rule of the protocol.
    case protocolViolation(String)
    /// It tried to break out, and the kernel ended it.
    case confinementViolation(String)
    /// Another unit ended their common process.
    case wentDown(with: String)
    /// It speaks other versions of the protocol.
    case versionMismatch(plugin: VersionRange, host: VersionRange)
    /// Its process did not start; `code` is the kernel's error number, if the kernel refused.
    case notStarted(String, code: Int32? = nil)
    /// It was replaced while the host ran, and must not have the rights of the former code.
    case replaced(path: String)

    /// The kind's name, one word for reports.
    public var kind: String {
        switch self {
        case .exited: "exited"
        case .signalled: "signalled"
        case .late: "late"
        case .restless: "restless"
        case .hung: "hung"
        case .stopped: "stopped"
        case .outOfMemory: "outOfMemory"
        case .tooManyDescriptors: "tooManyDescriptors"
        case .tooManyThreads: "tooManyThreads"
        case .outOfProcessorTime: "outOfProcessorTime"
        case .handshakeTimeout: "handshakeTimeout"
        case .unanswered: "unanswered"
        case .invalidAudio: "invalidAudio"
        case .protocolViolation: "protocolViolation"
        case .confinementViolation: "confinementViolation"
        case .wentDown: "wentDown"
        case .versionMismatch: "versionMismatch"
        case .notStarted: "notStarted"
        case .replaced: "replaced"
        }
    }

    /// Makes the fault of a process that ended in this way.
    package init(_ end: ProcessEnd) {
        switch end {
        case .exited(let code): self = .exited(code: code)
        // The filter of system calls ends a process in this way; the kernel does not tell which call it was.
        case .signalled(SIGSYS): self = .confinementViolation("a system call that no plug-in may make")
        case .signalled(let signal): self = .signalled(signal: signal)
        }
    }
}

extension PluginFault {
    /// True if the unit goes on when it answers again, without an end of its process.
    public var isPassing: Bool {
        switch self {
        case .late, .stopped, .restless, .unanswered, .invalidAudio: true
        default: false
        }
    }

    /// True if the machine is to blame, which had no process, memory or descriptor left for the plug-in.
    package var isShortage: Bool {
        if case .notStarted(_, let code?) = self { return SystemError.isShortage(code: code) }
        return false
    }

    /// True if a unit can commit it in each block, and go on.
    package var mayComeEachBlock: Bool {
        if case .protocolViolation = self { return true }
        return isPassing
    }

    /// Makes the fault from the error of a failed restart.
    init(restart error: HostingError) {
        switch error {
        case .fault(_, _, let fault): self = fault
        case .refused(_, _, let cause, _): self = .notStarted(cause.description)
        case .system(let cause): self = .notStarted(cause.reason, code: cause.code)
        case .codeChanged(_, let path): self = .replaced(path: path)
        default: self = .notStarted("\(error)")
        }
    }
}

extension PluginFault: CustomStringConvertible {
    /// The fault as a clause after the plug-in's name: "Delay" was ended by SIGKILL.
    public var description: String {
        switch self {
        case .exited(let code): "ended by itself with status \(code)"
        case .signalled(SIGXCPU): "was ended by SIGXCPU: a real-time thread of it did not go to sleep"
        case .signalled(let signal): "was ended by \(Self.name(ofSignal: signal))"
        case .late: "rendered too late"
        case .restless: "did not sleep between two blocks, and lost its rank"
        case .hung(let milliseconds): "hung for \(milliseconds) ms and was ended"
        case .handshakeTimeout(let milliseconds): "did not answer the handshake within \(milliseconds) ms"
        case .unanswered(let milliseconds): "did not answer a message within \(milliseconds) ms"
        case .stopped: "was stopped, and rendered too late"
        case .invalidAudio(.notANumber): "put out NaN or infinity, and was replaced"
        case .invalidAudio(.infinite): "put out infinity, and was replaced"
        case .invalidAudio(.tooLoud): "put out more than the ceiling, and was replaced"
        case .invalidAudio(.refused): "put out NaN or infinity, and was bypassed"
        case .outOfMemory: "used up its memory and was ended"
        case .tooManyDescriptors: "used up its descriptors and was ended"
        case .tooManyThreads: "used up its threads and was ended"
        case .outOfProcessorTime: "used up its processor time besides rendering and was ended"
        case .protocolViolation(let what): "broke the protocol: \(what)"
        case .confinementViolation(let what): "tried to break out and was ended: \(what)"
        case .wentDown(let culprit): "went down with \(culprit), which shares its process,"
        case .versionMismatch(let plugin, let host):
            "speaks version \(plugin) of the protocol, and this host \(host)"
        case .notStarted(let reason, _): "could not be started: \(reason)"
        case .replaced(let path):
            "was not started again: you gave it rights when \"\(path)\" held something else"
        }
    }

    /// A signal's name, for sentences.
    package static func name(ofSignal signal: Int32) -> String {
        let names: [Int32: String] = [
            SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
            SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGTERM: "SIGTERM", SIGSYS: "SIGSYS",
        ]
        return names[signal] ?? "signal \(signal)"
    }
}
