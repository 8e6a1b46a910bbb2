// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Gives a unit its render resources, takes them back, and restarts it after a death. Control threads.

import AudioUnits
import CWireLayout
import ControlMessages
import Glibc
import LinuxSystem
import Wire

/// The memory and doorbells of a unit outside any row.
struct UnitWiring: Sendable {
    let memory: UnitMemory
    let hostDoorbell: SharedMemory
    let inputMemory: SharedMemory
    let inputLayout: AudioMemoryLayout
    /// The channels of the buses from the second one on that lie behind those of bus 0 in `inputMemory`; 0 for none.
    let sideInputs: [Int]
    let format: BlockFormat
    let inputs: [BusFormat]
    let outputs: [BusFormat]

    /// The memory that the host fills for the unit.
    var inlet: UnsafeMutablePointer<Float> { inputMemory.base.assumingMemoryBound(to: Float.self) }

    func allocation(for description: UnitDescription) -> Allocation {
        let first = InputConnection(layout: inputLayout, firstChannel: 0)
        func beside(_ bus: Int) -> InputConnection? {
            guard bus > 0, bus <= sideInputs.count, sideInputs[bus - 1] > 0 else { return nil }
            return InputConnection(
                layout: inputLayout, firstChannel: inputs[0].channelCount + sideInputs[..<(bus - 1)].reduce(0, +))
        }
        return Allocation(
            sampleRate: format.sampleRate, maximumFrameCount: format.maximumFrameCount, inputs: inputs,
            outputs: outputs, output: memory.outputLayout,
            connections: inputs.indices.map { $0 == 0 ? first : beside($0) },
            hasSuccessor: false)
    }
}

/// Other connections for a unit that already renders.
struct UnitRewiring: Sendable {
    /// The unit's own doorbell.
    ///
    /// Before the first request that names this wiring is published, the doorbell holds its number.
    let doorbell: SharedMemory
    let hostDoorbell: SharedMemory
    let successorDoorbell: SharedMemory?
    /// The source of each input bus; nil if the wiring does not connect the bus.
    let inputs: [Input?]

    /// The memory that an input bus reads, and the place of its channels there.
    struct Input: Sendable {
        let memory: SharedMemory
        let layout: AudioMemoryLayout
        var firstChannel = 0
    }

    fileprivate func message(_ number: Int) -> HostMessage {
        let connections = inputs.map { $0.map { InputConnection(layout: $0.layout, firstChannel: $0.firstChannel) } }
        return .wire(Rewiring(number: number, connections: connections, hasSuccessor: successorDoorbell != nil))
    }
}

extension HostedUnit {
    /// The version of the protocol that the unit's present process speaks.
    package var protocolVersion: UInt32 { state.withLock { $0.connection.protocolVersion } }

    /// True if the unit can be wired anew while it renders: not in the host's process, and not by version 1 of the protocol.
    package var takesWirings: Bool { isolation == .outOfProcess && protocolVersion >= 2 }

    /// Adds a wiring that requests can name from now on, or replaces the wiring of this number, 1 to 3.
    ///
    /// `[control]` The unit has resources. Neither the newest published request nor an unanswered one may name the number. Throws
    /// `refused` if the unit takes no such wiring, and `fault` if it does not answer; nothing has changed then.
    func wire(_ wiring: UnitRewiring, number: Int) throws(HostingError) {
        let act = "wire"
        guard takesWirings else {
            let reason =
                isolation == .inProcess
                ? "it is in the host's own process" : "it speaks version \(protocolVersion) of the protocol, which has no wirings"
            throw .refused(unit: name, act: act, cause: .failed(reason))
        }
        // The unit only reads its own doorbell and its inputs. Each descriptor is open until the unit has answered.
        let doorbell = try readOnly(wiring.doorbell)
        var descriptors = [doorbell.number, wiring.hostDoorbell.descriptor]
        if let successor = wiring.successorDoorbell { descriptors.append(successor.descriptor) }
        var inputs: [Int32] = []
        defer { for input in inputs { close(input) } }
        for input in wiring.inputs {
            if let input { inputs.append(try readOnly(input.memory).release()) }
        }
        guard case .done = try ask(wiring.message(number), act: act, descriptors: descriptors + inputs) else {
            throw .fault(unit: name, act: act, .protocolViolation("it answered the wiring with something else"))
        }
    }

    /// The channels of the output buses for `count` channels of the first input.
    ///
    /// For a unit without inputs, `count` is the channels of the first output. Further buses have their own number, except
    /// optional ones for which that is impossible.
    func outputChannelCounts(for count: Int) -> [Int] {
        var total = 0
        return description.outputs.enumerated().map { index, bus in
            let isLikeInput = index == 0 && (description.channelCountsMatch || bus.supports(BusFormat(channelCount: count)))
            let own = isLikeInput ? count : bus.defaultFormat.channelCount
            if bus.isOptional, !bus.supports(bus.defaultFormat) || total + own > WireLimits.channelCount { return 0 }
            total += own
            return own
        }
    }

    /// The formats of the unit's buses; throws if the unit cannot render them.
    func formats(in format: BlockFormat) throws(HostingError) -> (inputs: [BusFormat], outputs: [BusFormat]) {
        func formats(_ buses: [Bus]) -> [BusFormat] {
            buses.enumerated().map { index, bus in
                index == 0
                    ? BusFormat(channelCount: format.channelCount, layout: format.layout)
                    : BusFormat(channelCount: bus.isOptional ? 0 : bus.defaultFormat.channelCount)
            }
        }
        var inputs = formats(description.inputs)
        let outputs =
            format.outputs.map { counts in
                counts.enumerated().map { BusFormat(channelCount: $1, layout: $0 == 0 ? format.layout : nil) }
            } ?? formats(description.outputs)
        for (index, count) in format.sideInputs.enumerated() {
            guard index + 1 < inputs.count else {
                guard count > 0 else { continue }
                throw .refused(unit: name, act: "connect a side chain of", cause: .failed("it has no input \(index + 2)"))
            }
            if count > 0 || description.inputs[index + 1].isOptional { inputs[index + 1] = BusFormat(channelCount: count) }
        }
        do throws(UnitError) {
            try description.checkFormats(inputs: inputs, outputs: outputs)
            for buses in [inputs, outputs] where buses.reduce(0, { $0 + $1.channelCount }) > WireLimits.channelCount {
                throw UnitError.formatRefused("more than \(WireLimits.channelCount) channels of all buses together")
            }
        } catch {
            throw .refused(unit: name, act: "chain", cause: error)
        }
        return (inputs, outputs)
    }

    /// A unit's latency and tail in frames; an endless tail is `Int.max`.
    struct Delays {
        var latencyFrameCount: Int
        var tailFrameCount: Int
    }

    /// Lets the unit allocate with `wiring`, whose region has just been formatted.
    func allocateResources(_ wiring: UnitWiring) throws(HostingError) -> Delays {
        let maximum = wiring.format.maximumFrameCount
        do throws(UnitError) {
            try state.withLock { (state) throws(UnitError) in try state.lifecycle.allocateResources(maximumFrameCount: maximum) }
        } catch {
            throw .refused(unit: name, act: "allocate resources for", cause: error)
        }
        do throws(HostingError) {
            expect(sampleRate: wiring.format.sampleRate)
            let delays = try requestAllocation(wiring)
            learnValuesAtRate()
            return delays
        } catch {
            // It has them: they were entered above.
            state.withLock { try? $0.lifecycle.deallocateResources() }
            throw error
        }
    }

    private func requestAllocation(_ wiring: UnitWiring) throws(HostingError) -> Delays {
        let connection = state.withLock { $0.connection }
        (connection as? InProcessConnection)?.attach(attachment(wiring))
        let message = HostMessage.allocate(allocation(wiring, connection))
        let (latency, tail, thread): (UInt32, UInt32, Int32)
        do throws(HostingError) {
            let answer = try withDescriptors(wiring, isNeeded: connection.process != nil) { descriptors throws(HostingError) in
                try ask(message, act: "allocate resources for", descriptors: descriptors)
            }
            (latency, tail, thread) = try allocated(answer)
        } catch {
            // It may have allocated, or may still do so, and would then refuse a second time.
            if case .fault(_, _, .unanswered) = error { _ = connection.process?.kill() }
            if case .fault = error { _ = returnsResources() }
            throw error
        }
        state.withLock { state in
            state.renderThread = thread
            state.memory = wiring.memory
        }
        return Delays(latencyFrameCount: Int(latency), tailFrameCount: tail == .max ? .max : Int(tail))
    }

    /// The allocation for the request; it leaves speakers out for a unit of an older version.
    private func allocation(_ wiring: UnitWiring, _ connection: any UnitConnection) -> Allocation {
        let allocation = wiring.allocation(for: description)
        return connection.protocolVersion >= 3 ? allocation : allocation.withoutSpeakers
    }

    private func allocated(
        _ answer: PluginMessage
    ) throws(HostingError) -> (latency: UInt32, tail: UInt32, thread: Int32) {
        func violation(_ deed: String) -> HostingError {
            .fault(unit: name, act: "allocate resources for", .protocolViolation(deed))
        }
        guard case .allocated(let latency, let tail, let thread) = answer else {
            throw violation("it answered the allocation with something else")
        }
        guard Int(latency) <= WireLimits.latencyFrameCount else { throw violation("it claims a latency of \(latency) frames") }
        return (latency, tail, thread)
    }

    private func withDescriptors<Value>(
        _ wiring: UnitWiring, isNeeded: Bool, _ body: ([Int32]) throws(HostingError) -> Value
    ) throws(HostingError) -> Value {
        guard isNeeded else { return try body([]) }
        let input = try readOnly(wiring.inputMemory)
        // The unit only reads it; the host and the predecessor write.
        let doorbell = try readOnly(wiring.memory.doorbellMemory)
        var descriptors = [
            wiring.memory.regionMemory.descriptor, doorbell.number, wiring.hostDoorbell.descriptor,
            wiring.memory.outputMemory.descriptor,
        ]
        if !wiring.inputs.isEmpty { descriptors.append(input.number) }
        // Each connection has a descriptor of its own, though they lie in one memory.
        for count in wiring.sideInputs where count > 0 { descriptors.append(input.number) }
        return try body(descriptors)
    }

    private func readOnly(_ memory: SharedMemory) throws(HostingError) -> Descriptor {
        do throws(SystemError) {
            return try memory.readOnlyDescriptor()
        } catch {
            throw .system(error)
        }
    }

    private func attachment(_ wiring: UnitWiring) -> CPluginInterface_Attachment {
        var attachment = CPluginInterface_Attachment()
        attachment.region = wiring.memory.regionMemory.base
        attachment.output = wiring.memory.output
        attachment.inputs.0 = UnsafePointer(wiring.inlet)
        withUnsafeMutableBytes(of: &attachment.inputs) { inputs in
            let inputs = inputs.bindMemory(to: UnsafePointer<Float>?.self)
            for (index, count) in wiring.sideInputs.enumerated() where count > 0 { inputs[index + 1] = inputs[0] }
        }
        return attachment
    }

    /// Takes the resources back, while nothing renders.
    ///
    /// A dead unit has no resources.
    func deallocateResources() {
        let hadResources = state.withLock { state in
            state.memory = nil
            // It throws where there are none.
            return (try? state.lifecycle.deallocateResources()) != nil
        }
        guard hadResources else { return }
        let hasPending = mailbox.hasPendingCommands || hasUnsentValues.load(ordering: .acquiring)
        let isWell = returnsResources()
        // The unit gets changes now that were never rendered; the next row must not send them again.
        mailbox.discardCommands()
        scheduled.discard()
        hasUnsentValues.store(false, ordering: .releasing)
        guard isWell, hasPending, (try? ask(.restoreState(knownState), act: "restore the state of")) == nil else { return }
        // The values are sent again once the unit renders.
        hasUnsentValues.store(true, ordering: .releasing)
    }

    /// Lets the unit deallocate.
    ///
    /// A unit that does not deallocate, perhaps in an endless loop, is ended; false then.
    private func returnsResources() -> Bool {
        let connection = state.withLock { $0.connection }
        do throws(PluginFault) {
            _ = try connection.ask(.deallocate, descriptors: [], timeoutMilliseconds: Self.deallocationTimeout)
            return true
        } catch {
            _ = connection.process?.kill()
            return false
        }
    }

    /// The milliseconds that a unit has to deallocate.
    private static var deallocationTimeout: Int32 { 2500 }

    /// Restarts the unit with the state that the host knows and the same memory.
    ///
    /// It starts in a new process that may read `files`, or with `mustJoin` in the present process of its companions. The region
    /// is formatted meanwhile: only after the unit's death, and after the render thread has released it. A failure changes
    /// nothing, and a process without connections ends.
    @discardableResult
    func restart(
        _ wiring: UnitWiring, _ restorable: RestorableState, reading files: Set<ExactPath>, mustJoin: Bool
    ) throws(HostingError) -> Delays {
        guard let unitProcess else { throw .refused(unit: name, act: "restart", cause: .failed("it is in the host's own process")) }
        _ = wiring.memory.formatRegion()
        let (connection, _) = try unitProcess.open(component, act: "restart", reading: files, mustJoin: mustJoin)
        // Until the unit has its state, values go through the mailbox: sent directly they could arrive before the older state.
        let former = state.withLock { state in
            defer { (state.connection, state.isWhole) = (connection, false) }
            return (connection: state.connection, lifecycle: state.lifecycle, isWhole: state.isWhole)
        }
        do throws(HostingError) {
            try giveBack(restorable)
            state.withLock { state in
                state.isWhole = true
                state.lifecycle = UnitLifecycle(state: .instantiated)
            }
            return try allocateResources(wiring)
        } catch {
            state.withLock { ($0.connection, $0.lifecycle, $0.isWhole) = former }
            throw error
        }
    }

    /// Ends the unit's process; false in the host's own.
    func endProcess() -> Bool {
        guard isolation == .outOfProcess, let process = state.withLock({ $0.connection.process }) else { return false }
        _ = process.kill()
        return true
    }

    /// True if its process has ended.
    ///
    /// No supervisor watches a unit without resources, so this must be asked.
    var hasDied: Bool { state.withLock { $0.connection.process }?.poll() != nil }

    /// Starts a unit that has died without resources, and lets it allocate with `wiring`.
    func revive(_ wiring: UnitWiring) throws(HostingError) -> Delays {
        // A process gets the right to read a file at its start or never, so it gets the rights that all of its units need.
        let files = (unitProcess?.residents ?? []).reduce(into: ownFiles(in: restorableState.state.texts)) { files, unit in
            files.formUnion(unit.ownFiles(in: unit.restorableState.state.texts))
        }
        return try restart(wiring, restorableState, reading: files, mustJoin: false)
    }

    /// The kernel's number of the unit's render thread; nil if the unit has no thread of its own.
    package var renderThread: Int32? {
        let (process, thread) = state.withLock { ($0.connection.process?.identifier, $0.renderThread) }
        // A PID namespace has other thread numbers than the host's.
        guard let process, thread > 0 else { return nil }
        return Scheduling.thread(ofProcess: process, knownThereAs: thread)
    }
}
