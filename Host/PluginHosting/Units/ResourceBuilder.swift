// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Allocates a unit's resources: its memory, what it is wired to, its renderer. Control thread.

import AudioUnits
import CWireLayout
import LinuxSystem
import Realtime
import Wire

/// Makes the member of a row that renders one unit.
struct ResourceBuilder {
    let format: BlockFormat
    let monitor: RowMonitor
    let source: SharedMemory
    let sourceLayout: AudioMemoryLayout
    /// Wakes the supervisor.
    let wakeUp: EventDescriptor
    private var policy: UnitPolicy { monitor.policy }

    init(
        format: BlockFormat, _ monitor: RowMonitor, source: SharedMemory, sourceLayout: AudioMemoryLayout, wakeUp: EventDescriptor
    ) {
        (self.format, self.monitor, self.wakeUp) = (format, monitor, wakeUp)
        (self.source, self.sourceLayout) = (source, sourceLayout)
    }

    /// Allocates the unit's resources.
    func member(_ link: UnitAllocation) throws(HostingError) -> UnitResources {
        let wiring = try wiring(link)
        try applyInitialAutomation(link)
        let region = wiring.memory.formatRegion()
        RegionObserver.observe(wiring.memory, region, process: link.unit.processIdentifier ?? 0)
        let (delays, fault) = try delays(link, wiring)
        let member = UnitResources(
            unit: link.unit, wiring: wiring, automation: link.automation, delays: delays,
            renderer: renderer(link, wiring, region, delays.latencyFrameCount, isPresent: fault == nil), monitor, wakeUp: wakeUp)
        if let fault { member.faults.append(fault, cycle: 0, sampleTime: 0) }
        return member
    }

    /// Lets the unit allocate; a fault is returned instead of thrown where the link leaves that to the supervisor.
    ///
    /// The process has ended then, which the supervisor notices as it notices any death.
    private func delays(_ link: UnitAllocation, _ wiring: UnitWiring) throws(HostingError) -> (HostedUnit.Delays, PluginFault?) {
        do throws(HostingError) {
            return (link.unit.hasDied ? try link.unit.revive(wiring) : try link.unit.allocateResources(wiring), nil)
        } catch {
            guard link.mayBeginAbsent, case .fault(_, _, let fault) = error, link.unit.endProcess() else { throw error }
            return (HostedUnit.Delays(latencyFrameCount: 0, tailFrameCount: 0), fault)
        }
    }

    /// Whether the units of a row render at the same time.
    private var isPipelined: Bool { policy.pipelineFrameCount != nil }

    /// The format of the unit's memory.
    ///
    /// In a pipeline a unit writes four blocks in turn, and its fallback four others.
    private var memoryFormat: BlockFormat {
        var format = format
        if isPipelined { format.slotCount = max(8, format.slotCount) }
        return format
    }

    private func wiring(_ link: UnitAllocation) throws(HostingError) -> UnitWiring {
        let formats = try link.unit.formats(in: format, sideInputs: link.sideInputs, outputs: link.outputs)
        do throws(SystemError) {
            let memory = try UnitMemory(
                name: link.unit.name, format: memoryFormat, inputBusCount: formats.inputs.count,
                outputBusCount: formats.outputs.count, outputChannelCount: formats.outputs.reduce(0) { $0 + $1.channelCount })
            return UnitWiring(
                memory: memory, hostDoorbell: monitor.doorbellMemory, inputMemory: source, inputLayout: sourceLayout,
                sideInputs: link.sideInputs, format: format, inputs: formats.inputs, outputs: formats.outputs)
        } catch {
            throw .system(error)
        }
    }

    private func renderer(
        _ link: UnitAllocation, _ wiring: UnitWiring, _ region: Region, _ latency: Int, isPresent: Bool
    ) -> UnsafeMutablePointer<UnitRenderer> {
        let ends = link.unit.mailbox.renderEnds()
        let renderer = UnsafeMutablePointer<UnitRenderer>.allocate(capacity: 1)
        renderer.initialize(
            to: UnitRenderer(
                region: region, memory: wiring.memory, outputs: wiring.outputs.map(\.channelCount),
                events: UnitEvents(
                    region: region, commands: ends.commands, notices: ends.notices, port: link.unit.port, lanes: link.automation,
                    isPipelined: isPipelined,
                    pace: link.pace.map { UnitEvents.Pace(core: $0.0.core, address: $0.address) }),
                dry: DryDelay(
                    channelCount: format.channelCount, maximumFrameCount: format.maximumFrameCount,
                    latencyFrameCount: latency),
                format: format, fallback: link.fallback,
                audioGuard: AudioGuard(ceiling: policy.ceiling),
                home: link.unit.unitProcess.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0, isPipelined: isPipelined,
                hasInput: !wiring.inputs.isEmpty, hasSideInputs: !link.sideInputs.isEmpty))
        if let connection = link.unit.state.withLock({ $0.connection }) as? InProcessConnection {
            renderer.pointee.inProcess = (connection.table, connection.unit)
        }
        if isPresent { renderer.pointee.sharedState.pointee.offer() }
        return renderer
    }

    /// A lane that begins at the start sets its first value before anything is rendered.
    private func applyInitialAutomation(_ link: UnitAllocation) throws(HostingError) {
        for lane in link.automation {
            guard let value = lane.value(at: 0), let keyPath = link.unit.parameters.keyPath(ofAddress: lane.address) else {
                continue
            }
            try link.unit.set(keyPath, to: value)
        }
    }
}
