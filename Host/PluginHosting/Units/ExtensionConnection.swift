// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit outside the host's process: started, greeted and asked over its control socket. Control threads.

import Confinement
import ControlMessages
import Glibc
import LinuxSystem
import Synchronization
import Wire

/// An extension process and the channel to one unit in it.
///
/// Several connections may share a process. It ends when the last one is dropped.
final class ExtensionConnection: UnitConnection {
    let child: ChildProcess
    private let channel: ControlChannel
    private let serial = Mutex<UInt32>(0)
    /// True if the unit is a classic plug-in, which may have files of its own to remove.
    private let isBridged = Atomic<Bool>(false)
    private let chosenVersion = Atomic<UInt32>(0)

    var process: ChildProcess? { child }
    var protocolVersion: UInt32 { chosenVersion.load(ordering: .relaxed) }

    /// Starts an executable, confined or not; it has not been greeted yet.
    ///
    /// With `isQuiet` its output is discarded.
    init(
        executable: String, confinement: Confinement?, adding addition: ExtensionAddition? = nil, isQuiet: Bool = false
    ) throws(PluginFault) {
        let process = try ExtensionProcess(
            executable: executable, confinement: confinement, adding: addition, isQuiet: isQuiet)
        (child, channel) = (process.child, process.channel)
    }

    /// Adds a unit to the process of `first`, from the library at this path; it has not been greeted yet.
    ///
    /// Throws `notStarted` if the process refuses.
    init(joining first: ExtensionConnection, library: String) throws(PluginFault) {
        let own: ControlSocket
        let peer: ControlSocket
        do throws(SystemError) {
            (own, peer) = try ControlSocket.pair()
        } catch {
            throw .notStarted(error.reason, code: error.code)
        }
        let answer = try first.ask(
            .addUnit(library: library), descriptors: [peer.descriptor], timeoutMilliseconds: Self.answerTimeout)
        switch answer {
        case .done: break
        case .refused(let reason): throw .notStarted(reason)
        default: throw .protocolViolation("it answered a question with something else")
        }
        child = first.child
        channel = ControlChannel(own, peerPidfd: child.pidfd)
    }

    deinit {
        guard isBridged.load(ordering: .relaxed), child.poll() == nil else { return }
        _ = try? ask(.shutdown, descriptors: [], timeoutMilliseconds: Self.farewellTimeout)
    }

    /// The milliseconds that a unit has to remove its files before it is killed.
    private static let farewellTimeout: Int32 = 100

    func ask(
        _ message: HostMessage, descriptors: [Int32], timeoutMilliseconds: Int32
    ) throws(PluginFault) -> PluginMessage {
        if case .hello(_, _, let locator) = message, !locator.isEmpty { isBridged.store(true, ordering: .relaxed) }
        // One request at a time: the lock is held until the reply arrives.
        var result: Result<PluginMessage, PluginFault> = .failure(.exited(code: 0))
        serial.withLock { serial in
            serial &+= 1
            let number = serial
            result = Result { () throws(PluginFault) in
                try exchange(message, descriptors, number, timeoutMilliseconds)
            }
        }
        let answer = try result.get()
        if case .welcome(let welcome) = answer { chosenVersion.store(welcome.version, ordering: .relaxed) }
        return answer
    }

    private func exchange(
        _ message: HostMessage, _ descriptors: [Int32], _ serial: UInt32, _ timeout: Int32
    ) throws(PluginFault) -> PluginMessage {
        do throws(ControlChannelError) {
            let deadline = MonotonicClock.now() + UInt64(max(0, timeout)) * 1_000_000
            // Before the first request no message can wait.
            if serial > 1 { dropUnasked(until: deadline) }
            let frame = MessageFrame(kind: message.kind, serial: serial, body: message.body)
            trace(message.name, "\(message)", serial, isFromHost: true)
            // A unit that reads nothing fills the channel; sending must time out too.
            try channel.send(frame, descriptors: descriptors, timeoutMilliseconds: Self.milliseconds(until: deadline))
            let answer = try Self.read(try answer(to: serial, until: deadline, timeout))
            trace(answer.name, "\(answer)", serial, isFromHost: false)
            return answer
        } catch {
            let fault = fault(error, timeout)
            trace("no answer", "\(fault)", serial, isFromHost: false)
            throw fault
        }
    }

    /// Passes a message to the trace, if there is one; the text is made only then.
    private func trace(_ name: String, _ text: @autoclosure () -> String, _ serial: UInt32, isFromHost: Bool) {
        guard let trace = HostConfiguration.current.messageTrace else { return }
        trace(TracedMessage(name, describing: text(), serial: serial, process: child.identifier, isFromHost: isFromHost))
    }

    /// The most unread messages: a socket holds no more.
    private static let unaskedCount = 4096

    /// Drops unrequested and late messages, so that they do not precede the reply.
    ///
    /// It stops at the deadline of the reply: a unit may send such messages without end.
    private func dropUnasked(until deadline: UInt64) {
        for _ in 0..<Self.unaskedCount where MonotonicClock.now() < deadline {
            do throws(ControlChannelError) {
                _ = try channel.receive(timeoutMilliseconds: 0).frame
            } catch {
                guard case .violation = error else { return }
            }
        }
    }

    /// Waits for the reply to one request.
    ///
    /// Replies to earlier requests, which were given up, are skipped.
    private func answer(
        to serial: UInt32, until deadline: UInt64, _ timeout: Int32
    ) throws(ControlChannelError) -> MessageFrame {
        while true {
            let frame = try channel.receive(timeoutMilliseconds: Self.milliseconds(until: deadline)).frame
            if frame.serial == serial { return frame }
            // A unit that repeats itself without end always sends something to read.
            guard MonotonicClock.now() < deadline else { throw .timedOut(milliseconds: timeout) }
            guard frame.serial != 0, frame.serial < serial else {
                throw .violation(WireViolation("an answer to question \(frame.serial), which was \(serial)"))
            }
        }
    }

    private static func milliseconds(until deadline: UInt64) -> Int32 {
        let now = MonotonicClock.now()
        return Int32(clamping: (max(deadline, now) - now + 999_999) / 1_000_000)
    }

    private static func read(_ frame: MessageFrame) throws(ControlChannelError) -> PluginMessage {
        do throws(WireViolation) {
            return try PluginMessage(kind: frame.kind, body: frame.body)
        } catch {
            throw .violation(error)
        }
    }

    private func fault(_ error: ControlChannelError, _ timeout: Int32) -> PluginFault {
        switch error {
        case .hungUp: child.wait(milliseconds: 1000).map { PluginFault($0) } ?? .protocolViolation("it hung up")
        case .timedOut: child.poll().map { PluginFault($0) } ?? .unanswered(milliseconds: timeout)
        case .violation(let violation): .protocolViolation(violation.description)
        case .system(let error): .protocolViolation(error.reason)
        }
    }
}
