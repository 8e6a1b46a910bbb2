// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One unit of an extension: answers the host's messages on its control channel until the host hangs up. One thread a unit.

import AudioUnits
import CWireLayout
import ControlMessages
import Glibc
import LinuxSystem
import ViewChannel
import Wire

/// A unit in a process of its own, or in a process that it shares.
final class ExtensionUnit {
    private let channel: ControlChannel
    private let instance: UnitInstance
    private var thread: RenderThread?
    private var memories: [SharedMemory] = []
    private var view: ViewThread?
    /// Takes another unit into the process; returns the reason if that is impossible.
    ///
    /// Only the first unit of the process has it.
    var takeUnit: ((_ library: String, _ control: consuming Descriptor) -> String?)?

    init(_ library: UnitLibrary, control: consuming Descriptor) {
        channel = ControlChannel(ControlSocket(owning: control), sendsPieces: true)
        instance = UnitInstance(library)
        instance.renderThreadIdentifier = { [unowned self] in thread?.identifier ?? 0 }
        instance.coreWillGo = { [unowned self] in
            thread?.stop()
            thread = nil
        }
    }

    var socket: ControlSocket { channel.socket }

    /// Answers until the host hangs up, and then ends the unit.
    ///
    /// A render thread that never returns blocks only this thread.
    func run() {
        _ = answerUntilHungUp()
        socket.hangUp()
        _ = view?.end()
        _ = instance.handle(.shutdown)
        letGoOfMemory()
    }

    /// Answers until the host hangs up; returns the exit status of a process that holds only this unit.
    func answerUntilHungUp() -> Int32 {
        while true {
            do throws(ControlChannelError) {
                var received = try channel.receive()
                let answer = answer(&received)
                try channel.send(MessageFrame(kind: answer.kind, serial: received.frame.serial, body: answer.body))
                if case .versionRefused = answer { return 1 }
            } catch {
                return error == .hungUp ? 0 : 1
            }
        }
    }

    private func answer(_ received: inout ReceivedFrame) -> PluginMessage {
        let message: HostMessage
        do throws(WireViolation) {
            message = try HostMessage(kind: received.frame.kind, body: received.frame.body)
        } catch {
            return .refused(error.description)
        }
        if case .addUnit(let library) = message, let takeUnit {
            guard let control = received.takeDescriptor() else { return .refused("no control channel came with the unit") }
            return takeUnit(library, control).map { .refused($0) } ?? .done
        }
        if case .allocate(let allocation) = message {
            if let reason = prepare(allocation, &received) { return .refused(reason) }
        }
        if case .wire(let rewiring) = message {
            if let reason = prepare(rewiring, &received) { return .refused(reason) }
        }
        if case .openView(let opening) = message { return open(opening, &received) }
        var answer = instance.handle(message)
        instance.wiringMemory = nil
        if instance.core == nil { letGoOfMemory() }
        if case .welcome(var welcome) = answer, takeUnit != nil {
            welcome.description.flags.insert(.takesUnits)
            answer = .welcome(welcome)
        }
        return answer
    }

    /// Unmaps all memory.
    ///
    /// The closure that starts the render thread also keeps the memory mapped.
    private func letGoOfMemory() {
        instance.coreWasMade = {}
        instance.attachment = nil
        memories = []
    }

    /// Maps the memory of an allocation; returns the reason if that is impossible.
    private func prepare(_ allocation: Allocation, _ received: inout ReceivedFrame) -> String? {
        guard instance.core == nil else { return "render resources are allocated already" }
        do {
            let mapped = try AllocationMemory(allocation, &received)
            instance.attachment = mapped.attachment
            memories = mapped.memories
            instance.coreWasMade = { [unowned self] () throws(UnitError) in try startThread(mapped) }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Maps the memory of a wiring; returns the reason if that is impossible.
    private func prepare(_ rewiring: Rewiring, _ received: inout ReceivedFrame) -> String? {
        // Without resources the instance refuses the wiring.
        guard instance.core != nil else { return nil }
        do {
            instance.wiringMemory = try WiringMemory(rewiring, &received)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Opens the unit's view with the descriptors of the message, in place of a view that is open.
    private func open(_ opening: ViewOpening, _ received: inout ReceivedFrame) -> PluginMessage {
        guard let (view, parameters) = instance.view, let scopes = instance.scopes else { return .refused("it has no view") }
        if let former = self.view, !former.end() { return .refused("its view before has not ended") }
        self.view = nil
        do {
            var passed = PassedMemory()
            let memory = try ViewMemory(mapped: try passed.map("view", from: &received))
            guard opening.size.columnCount * opening.size.rowCount <= memory.capacity else {
                return .refused("the memory of the view has no room for its size")
            }
            guard let channel = received.takeDescriptor() else { return .refused("no channel came with the view") }
            self.view = try ViewThread(
                ViewThread.Setup(
                    view: view, parameters: parameters, scopes: scopes, opening: opening, memory: memory,
                    socket: ControlSocket(owning: channel)))
            return .viewOpened(Array(view.preferredSizes.prefix(Int(CWireLayout_maximumViewSizeCount))))
        } catch {
            return .refused("\(error)")
        }
    }

    private func startThread(_ mapped: AllocationMemory) throws(UnitError) {
        guard let core = instance.core else { return }
        core.pointee.wirings.pointee.begin(with: Wiring(mapped.doorbells))
        do throws(SystemError) {
            thread = try RenderThread(
                RenderLoop(
                    core: core, region: mapped.attachment.region, doorbells: mapped.doorbells,
                    residents: Residents.ofProcess))
        } catch {
            throw .failed(error.description)
        }
    }
}
