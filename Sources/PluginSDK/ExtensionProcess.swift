// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in as a process of its own: answers the host's messages until the host leaves. Main thread of the extension.

import ControlMessages
import Glibc
import LinuxSystem
import Wire

/// The main loop of an extension.
final class ExtensionProcess {
    private let channel: ControlChannel
    private let instance: UnitInstance
    private var thread: RenderThread?
    private var memories: [SharedMemory] = []

    init(_ library: UnitLibrary, control: consuming Descriptor) {
        channel = ControlChannel(ControlSocket(owning: control))
        instance = UnitInstance(library)
        instance.renderThreadIdentifier = { [unowned self] in thread?.identifier ?? 0 }
        instance.coreWillGo = { [unowned self] in
            thread?.stop()
            thread = nil
        }
    }

    /// Answers until the host hangs up, and ends the process then, whatever the render thread does.
    func run() -> Never {
        watchForHangUp()
        _exit(answerUntilHungUp())
    }

    /// Ends the process some time after the host has gone, should the main thread not have noticed: it may be waiting
    /// for a render thread that never comes back, or be inside a kernel that makes itself without end.
    private func watchForHangUp() {
        let socket = channel.socket
        let watch = try? Thread(name: "hang-up watch") {
            socket.waitUntilHungUp()
            Futex.pause(microseconds: 200_000)
            _exit(0)
        }
        watch?.detach()
    }

    private func answerUntilHungUp() -> Int32 {
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
        if case .allocate(let allocation) = message {
            if let reason = prepare(allocation, &received) { return .refused(reason) }
        }
        let answer = instance.handle(message)
        if instance.core == nil { letGoOfMemory() }
        return answer
    }

    /// Unmaps everything. What starts the render thread holds the memory too.
    private func letGoOfMemory() {
        instance.coreWasMade = {}
        instance.attachment = nil
        memories = []
    }

    /// Maps what came with an allocation; the reason when that cannot be done.
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

    private func startThread(_ mapped: AllocationMemory) throws(UnitError) {
        guard let core = instance.core else { return }
        do throws(SystemError) {
            thread = try RenderThread(
                RenderLoop(
                    core: core, region: mapped.attachment.region, doorbell: mapped.doorbell,
                    hostDoorbell: mapped.hostDoorbell, successorDoorbell: mapped.successorDoorbell))
        } catch {
            throw .failed(error.description)
        }
    }
}
