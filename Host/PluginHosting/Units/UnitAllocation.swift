// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Allocates the parts of a unit's render resources: memory, wiring, renderer. Control thread.

import AudioUnits
import CWireLayout
import LinuxSystem
import Realtime
import Wire

/// The work of an allocation that a unit answers late.
typealias LateAllocation = Errand<Result<HostedUnit.Delays, HostingError>>

/// One allocation of a unit's render resources.
struct UnitAllocation: Sendable {
    private let unit: HostedUnit
    private let format: BlockFormat
    private let monitor: RowMonitor
    private let options: AllocationOptions
    private var policy: UnitPolicy { monitor.policy }

    init(_ unit: HostedUnit, _ format: BlockFormat, _ monitor: RowMonitor, _ options: AllocationOptions) {
        (self.unit, self.format, self.monitor, self.options) = (unit, format, monitor, options)
    }

    /// The parts that an allocation makes.
    struct Parts {
        let wiring: UnitWiring
        let renderer: UnsafeMutablePointer<UnitRenderer>
        let delays: HostedUnit.Delays
        /// The fault that the supervisor must answer.
        let fault: PluginFault?
        /// The allocation that the unit has not answered yet; nil if it has.
        let late: LateAllocation?
    }

    /// The answer of a unit: its delays, or a fault that is left to the supervisor, or nothing yet.
    private struct Answer {
        var delays = HostedUnit.Delays(latencyFrameCount: 0, tailFrameCount: 0)
        var fault: PluginFault?
        var late: LateAllocation?
    }

    /// Allocates the unit's resources.
    func allocate(_ fallback: Fallback) throws(HostingError) -> Parts {
        let wiring = try wiring()
        let region = wiring.memory.formatRegion()
        try RegionObserver.observe(wiring.memory, region, process: unit.processIdentifier ?? 0)
        let answer = try answer(wiring)
        let renderer = renderer(wiring, region, answer.delays.latencyFrameCount, fallback)
        if answer.fault == nil, answer.late == nil { renderer.pointee.sharedState.pointee.offer() }
        return Parts(wiring: wiring, renderer: renderer, delays: answer.delays, fault: answer.fault, late: answer.late)
    }

    /// Lets the unit allocate; returns a fault instead of throwing it if the options leave it to the supervisor.
    ///
    /// The process has ended then, and the supervisor notices it like any death.
    private func answer(_ wiring: UnitWiring) throws(HostingError) -> Answer {
        do throws(HostingError) {
            guard let patience = options.patience, unit.isolation == .outOfProcess else { return Answer(delays: try ask(wiring)) }
            let asking = LateAllocation(name: "allocate") { Result { () throws(HostingError) in try ask(wiring) } }
            guard let outcome = asking.value(within: patience) else { return Answer(late: asking) }
            return Answer(delays: try outcome.get())
        } catch {
            guard options.mayBeginAbsent, case .fault(_, _, let fault) = error, unit.endProcess() else { throw error }
            return Answer(fault: fault)
        }
    }

    /// Asks the unit to allocate, and waits for its answer.
    private func ask(_ wiring: UnitWiring) throws(HostingError) -> HostedUnit.Delays {
        try applyInitialAutomation()
        return unit.hasDied ? try unit.revive(wiring) : try unit.allocateResources(wiring)
    }

    /// True if the units of a row render at the same time.
    private var isPipelined: Bool { policy.pipelineFrameCount != nil }

    /// The format of the unit's own memory.
    ///
    /// In a pipeline a unit writes four blocks in turn, and its fallback writes four others.
    private var memoryFormat: BlockFormat {
        var format = format
        if isPipelined { format.slotCount = max(8, format.slotCount) }
        return format
    }

    private func wiring() throws(HostingError) -> UnitWiring {
        let formats = try unit.formats(in: format)
        let inletLayout = AudioMemoryLayout(
            slotCount: format.slotCount, channelCount: format.channelCount + format.sideInputs.reduce(0, +),
            maximumFrameCount: format.maximumFrameCount)
        do throws(SystemError) {
            let inlet = try SharedMemory(name: "\(unit.name) input", byteCount: inletLayout.byteCount)
            let memory = try UnitMemory(
                name: unit.name, format: memoryFormat, inputBusCount: formats.inputs.count,
                outputBusCount: formats.outputs.count, outputChannelCount: formats.outputs.reduce(0) { $0 + $1.channelCount })
            return UnitWiring(
                memory: memory, hostDoorbell: monitor.doorbellMemory, inputMemory: inlet, inputLayout: inletLayout,
                sideInputs: format.sideInputs, format: format, inputs: formats.inputs, outputs: formats.outputs)
        } catch {
            throw .system(error)
        }
    }

    private func renderer(
        _ wiring: UnitWiring, _ region: Region, _ latency: Int, _ fallback: Fallback
    ) -> UnsafeMutablePointer<UnitRenderer> {
        let renderer = UnsafeMutablePointer<UnitRenderer>.allocate(capacity: 1)
        renderer.initialize(
            to: UnitRenderer(
                region: region, memory: wiring.memory, outputs: wiring.outputs.map(\.channelCount), events: events(region),
                dry: DryDelay(
                    channelCount: format.channelCount, maximumFrameCount: format.maximumFrameCount,
                    latencyFrameCount: latency),
                format: format, fallback: fallback, audioGuard: AudioGuard(ceiling: policy.ceiling),
                home: unit.unitProcess.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0, isPipelined: isPipelined,
                hasInput: !wiring.inputs.isEmpty, hasSideInputs: !format.sideInputs.isEmpty))
        if let connection = unit.state.withLock({ $0.connection }) as? InProcessConnection {
            renderer.pointee.inProcess = (connection.table, connection.unit)
        }
        return renderer
    }

    private func events(_ region: Region) -> UnitEvents {
        let ends = unit.mailbox.renderEnds()
        let address = unit.parameters[keyPath: "rate"]?.address
        let pace = options.pace.flatMap { pace in address.map { UnitEvents.Pace(core: pace.core, address: $0) } }
        return UnitEvents(
            region: region, commands: ends.commands, notices: ends.notices, port: unit.port, lanes: options.lanes,
            isPipelined: isPipelined, pace: pace)
    }

    /// Sets the first value of a lane that begins at the start, before anything is rendered.
    private func applyInitialAutomation() throws(HostingError) {
        for lane in options.lanes {
            guard let value = lane.value(at: 0), let keyPath = unit.parameters.keyPath(ofAddress: lane.address) else {
                continue
            }
            try unit.set(keyPath, to: value)
        }
    }
}
