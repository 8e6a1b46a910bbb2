// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The process of a plug-in's own window: starts it, exchanges records with it, and ends it. Main thread.

import AudioFormats
import Confinement
import Console
import Glibc
import LinuxSystem
import PluginHosting

/// A process that shows one window.
///
/// On an X server of its own, it is confined like the plug-in. On the user's server it is not, because a client of that can do all that
/// the user can. The command trusts nothing that it sends.
final class WindowProcess {
    private let child: ChildProcess
    private let socket: ControlSocket
    /// Connects a confined process to its X server; nil for other processes.
    private let broker: DisplayBroker?
    private var isHungUp = false

    /// The program's name.
    static let programName = "bulkhead-window"
    /// The time that a window has to end by itself, in milliseconds.
    private static let patience: Int32 = 2000

    /// Starts the process, which opens the window: on a server of its own, or on the one of the environment.
    init(
        _ component: Component, title: String, sampleRate: Double, server: NestedServer?, environment: [String: String]
    ) throws {
        let programs: [String] = HostConfiguration.current.supportFolders.map { "\($0)/\(Self.programName)" }
        guard let program = programs.first(where: { access($0, X_OK) == 0 }) else {
            throw CommandError.failed(
                "Couldn't open a window: the program \"\(Self.programName)\" is not beside this command. Install Bulkhead anew.")
        }
        let path = FilePath.resolved(program) ?? program
        let arguments = [String(component.id.dropFirst("lv2:".count)), component.home, "\(Int(nearestFrame: sampleRate))", title]
        try component.checkCode()
        let (own, peer) = try ControlSocket.pair()
        socket = own
        if let server, let confinement = try component.confinement(ofWindow: path, authority: server.authorityPath) {
            let (broker, brokerPeer) = try DisplayBroker.pair(server)
            self.broker = broker
            defer { withExtendedLifetime(brokerPeer) {} }
            child = try ChildProcess(
                path: path, arguments: arguments, environment: server.environment(ofConfined: environment), control: peer,
                lending: brokerPeer.descriptor, confinement: confinement)
            try child.limit(niceness: NestedServer.niceness)
            if !child.gaps.isEmpty {
                Terminal.printError(
                    "This machine confines the window less than it could. What is missing, and what to change: bulkhead doctor")
            }
        } else {
            broker = nil
            if server != nil {
                Terminal.printError(
                    "The window of \"\(component.name)\" is not confined, because you have unconfined the plug-in. "
                        + "Undo that with: bulkhead confine \(ShellWord.quoted(component.id))")
            }
            child = try ChildProcess(
                path: path, arguments: arguments, environment: server?.environment(environment) ?? environment, control: peer)
        }
        OutputReader.shared.follow(child, as: "window of \(component.name)")
    }

    /// The descriptors to poll: the sockets, and the end of the process.
    var descriptors: [Int32] { [isHungUp ? -1 : socket.descriptor, broker?.descriptor ?? -1, child.pidfd] }

    /// The end of the process; nil while it runs.
    var end: ProcessEnd? { child.poll() }

    /// The records that have come since the last call, without invalid ones.
    func receive() -> [WindowRecord] {
        broker?.serve()
        var records: [WindowRecord] = []
        var bytes = [UInt8](repeating: 0, count: WindowRecord.headByteCount + WindowRecord.mostTextByteCount)
        // A window that sends without end must not hold up the command.
        while records.count < 1000, !isHungUp {
            let count = bytes.withUnsafeMutableBytes { SystemCall.receive(from: socket.descriptor, into: $0) }
            if count < 0, errno == EAGAIN { break }
            guard count > 0 else {
                isHungUp = true
                break
            }
            if let record = WindowRecord(bytes[..<count]) { records.append(record) }
        }
        return records
    }

    /// Sends a record; false if the window has no room for it now.
    func send(_ record: WindowRecord) -> Bool {
        let count = record.bytes.withUnsafeBytes { SystemCall.send($0, to: socket.descriptor) }
        return count > 0
    }

    /// Asks the process to end, and kills it if it does not.
    func close() {
        socket.hangUp()
        if child.wait(milliseconds: Self.patience) == nil { _ = child.kill() }
        PluginMessages.settle()
    }
}
