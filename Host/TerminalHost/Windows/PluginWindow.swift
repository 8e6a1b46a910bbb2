// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Passes values between a host that plays and a plug-in's own window, until either ends. Main thread.

import Confinement
import Console
import Control
import Glibc
import JSON
import LinuxSystem
import PluginHosting

/// A window for a node of a running host.
///
/// It is an ordinary client of the control protocol. The audio process and the plug-in's own process do not know it.
final class PluginWindow {
    /// The reason why no values pass any more.
    private enum End {
        /// The user has closed the window, or stopped the command.
        case closed
        /// The host has ended, or the unit was removed.
        case unitGone(String)
        /// The window failed, for the reason in the sentence.
        case failed(String)
    }

    private enum Purpose {
        case nothing, parameters, status
        case setting
    }

    private let node: String
    private let component: Component
    private let stream: ControlStream
    private let process: WindowProcess
    private let server: NestedServer?
    private let wakeUp: EventDescriptor
    private var values = WindowValues()
    private var purposes: [Int: Purpose] = [:]
    private var lastRequest = 0
    private var isOpen = false
    private var hasToldLeftOut = false
    private var toldRefusals: Set<String> = []
    /// The last question whether the window answers, its time, and whether an answer has come.
    private var question: (number: UInt32, time: UInt64, isAnswered: Bool)
    /// True if the question has been sent; false while the channel has no room for it.
    private var isAsked = true
    /// The time at which the command noticed the end of the nested server.
    private var serverEnd: UInt64?
    private var end: End?

    /// The time that a window has to open, and to answer once it is open, in nanoseconds.
    private static let (openingPatience, patience): (UInt64, UInt64) = (30_000_000_000, 10_000_000_000)
    /// The exit status of a window that has lost its X server.
    private static let lostServerStatus: Int32 = 3
    /// The time between two questions, and the length of an idle round, in nanoseconds.
    private static let (questionInterval, roundNanoseconds): (UInt64, UInt64) = (1_000_000_000, 100_000_000)

    /// Starts a window for a node of the host.
    init(
        _ node: String, of address: ControlAddress, _ component: Component, sampleRate: Double, server: NestedServer?,
        environment: [String: String]
    ) throws {
        (self.node, self.component, self.server) = (node, component, server)
        wakeUp = try EventDescriptor()
        stream = try ControlStream(address)
        let title = node == component.name ? node : "\(node) (\(component.name))"
        process = try WindowProcess(
            component, title: title, sampleRate: sampleRate, server: server, environment: environment)
        question = (0, MonotonicClock.now(), false)
    }

    /// Passes values until the window or the host ends; throws if the window fails.
    func run() throws {
        Interruption.tell(wakeUp.bell)
        defer { Interruption.tell(.none) }
        request("watch", ["topics": .list([.text("parameters"), .text("edits")])], .nothing)
        request("parameters", ["node": .text(node)], .parameters)
        while end == nil {
            wait()
            takeHost()
            takeWindow()
            pass()
            checkWindow()
            if Interruption.isRequested { end = end ?? .closed }
        }
        process.close()
        switch end {
        case .failed(let sentence): throw CommandError.failed(sentence)
        case .unitGone(let sentence):
            guard isOpen else { throw CommandError.failed("The window of \"\(node)\" was not opened. \(sentence)") }
            Terminal.print(sentence)
        case .closed, nil:
            guard !isOpen else { return }
            try Interruption.check("The window was closed by a signal before it was there.")
            throw CommandError.failed("The window of \"\(node)\" was closed before it was there.")
        }
    }

    private func wait() {
        let others = process.descriptors + [wakeUp.descriptor, server?.descriptor ?? -1]
        Descriptor.wait(for: [stream.awaited] + others.map { AwaitedDescriptor($0) }, nanoseconds: Self.roundNanoseconds)
    }

    // MARK: The host

    private func request(_ method: String, _ fields: [String: JSONValue], _ purpose: Purpose) {
        lastRequest += 1
        purposes[lastRequest] = purpose
        stream.request(lastRequest, method, fields)
    }

    private func takeHost() {
        stream.write()
        for line in stream.read() {
            guard let told = JSONValue(json: line) else { continue }
            if let id = told["id"]?.number.flatMap({ Int(exactly: $0) }) {
                take(answer: told, to: id)
            } else if told["event"]?.text == "parameters", let path = told["data"]?["path"]?.text {
                if let value = told["data"]?["value"]?.number { values.take(value: value, of: path) }
            } else if told["event"]?.text == "edits" {
                request("status", [:], .status)
            } else if let reason = told["error"]?["message"]?.text {
                end = end ?? .failed(reason)
            }
        }
        if stream.isClosed { end = end ?? .unitGone("The host has ended.") }
    }

    private func take(answer: JSONValue, to id: Int) {
        let result = answer["result"]
        switch purposes.removeValue(forKey: id) {
        case .parameters:
            guard let result else {
                end = end ?? .unitGone("\"\(node)\" is no longer in the graph.")
                return
            }
            values.take(parameters: result)
        case .status:
            let row = result?["nodes"]?.list?.first { $0["id"]?.text == node }
            guard row?["plugin"]?.text == component.id else {
                end = end ?? .unitGone("\"\(node)\" is no longer in the graph.")
                return
            }
            request("parameters", ["node": .text(node)], .parameters)
        case .setting:
            values.take(answer: result?["value"]?.number, to: id)
            if let reason = answer["error"]?["message"]?.text, toldRefusals.insert(reason).inserted { Terminal.printError(reason) }
        case .nothing, nil: break
        }
    }

    // MARK: The window

    private func takeWindow() {
        for record in process.receive() {
            switch record {
            case .value(let port, let value): values.take(windowValue: value, of: port, at: MonotonicClock.now())
            case .alive(let number): if number == question.number { question.isAnswered = true }
            case .opened:
                guard !isOpen else { continue }
                isOpen = true
                question = (1, 0, true)
                Terminal.print("The window of \"\(node)\" is open. Close it, or stop this command.")
            case .refused(let reason): end = end ?? .failed("Couldn't open the window of \"\(component.name)\": \(reason).")
            case .closed: end = end ?? .closed
            case .leftOut:
                guard !hasToldLeftOut else { continue }
                hasToldLeftOut = true
                Terminal.printError(
                    "The window of \"\(node)\" exchanges more than values, such as files or what its displays draw: that is left out."
                )
            }
        }
    }

    /// Passes on the values that either side does not know yet.
    private func pass() {
        for setting in values.settings({
            lastRequest += 1
            return lastRequest
        }) {
            purposes[setting.request] = .setting
            stream.request(setting.request, "set", ["path": .text(setting.path), "value": .number(setting.value)])
        }
        guard isOpen else { return }
        for (port, value) in values.news(at: MonotonicClock.now()) {
            guard process.send(.value(port: port, value)) else { return }
            values.told(port, value)
        }
    }

    /// Checks that the window runs and answers.
    private func checkWindow() {
        let now = MonotonicClock.now()
        if server?.hasEnded == true {
            // The server ends with the window, whose exit status explains more and may come a little later.
            let seen = serverEnd ?? now
            serverEnd = seen
            if process.end == nil, now > seen + Self.questionInterval { end = end ?? .closed }
        }
        if let how = process.end {
            // Messages from before its end count.
            takeWindow()
            if server != nil, how == .exited(code: Self.lostServerStatus) { end = end ?? .closed }
            end = end ?? .failed("The window of \"\(node)\" \(Self.verb(how)). The sound is not touched by that.")
        }
        guard isOpen else {
            if now > question.time + Self.openingPatience {
                end =
                    end ?? .failed("The window of \"\(node)\" did not open within \(Self.openingPatience / 1_000_000_000) seconds.")
            }
            return
        }
        if question.isAnswered, now > question.time + Self.questionInterval {
            (question, isAsked) = ((question.number &+ 1, now, false), false)
        }
        // A window that stops reading has no room for the question either.
        if !question.isAnswered, !isAsked { isAsked = process.send(.alive(number: question.number)) }
        if !question.isAnswered, now > question.time + Self.patience {
            end = end ?? .failed("The window of \"\(node)\" hung, and was closed. The sound is not touched by that.")
        }
    }

    private static func verb(_ end: ProcessEnd) -> String {
        switch end {
        case .exited(code: lostServerStatus): "lost its X server"
        case .exited(let code): code == 0 ? "ended by itself" : "ended by itself, with status \(code)"
        case .signalled(let signal): "was ended by \(PluginFault.name(ofSignal: signal))"
        }
    }
}
