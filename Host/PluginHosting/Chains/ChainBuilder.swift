// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Wires the units of a chain: each reads its predecessor's output where it lies. Control thread.

import AudioUnits
import CWireLayout
import LinuxSystem
import Realtime
import Synchronization
import Wire

/// Makes the members of one chain.
struct ChainBuilder {
    let format: ChainFormat
    let monitor: ChainMonitor
    let source: SharedMemory
    let sourceLayout: AudioMemoryLayout
    /// Wakes the supervisor.
    let wakeUp: EventDescriptor
    private var policy: ChainPolicy { monitor.policy }

    init(
        format: ChainFormat, _ monitor: ChainMonitor, source: SharedMemory, sourceLayout: AudioMemoryLayout, wakeUp: EventDescriptor
    ) {
        (self.format, self.monitor, self.wakeUp) = (format, monitor, wakeUp)
        (self.source, self.sourceLayout) = (source, sourceLayout)
    }

    /// Allocates every unit's resources.
    ///
    /// When one fails, the others give theirs back.
    func members(_ links: [ChainLink]) throws(HostingError) -> [ChainMember] {
        let memories = try self.memories(links)
        var wirings: [UnitWiring] = []
        for index in links.indices { wirings.append(try wiring(links[index], index, memories)) }
        let allocations = allocate(links, wirings)
        do throws(HostingError) {
            var members: [ChainMember] = []
            for (index, link) in links.enumerated() {
                guard let allocation = allocations[index] else { continue }
                members.append(member(link, wirings[index], try allocation.get()))
            }
            return members
        } catch {
            for (link, allocation) in zip(links, allocations) where (try? allocation?.get()) != nil {
                link.unit.deallocateResources()
            }
            throw error
        }
    }

    /// Whether the units render at the same time.
    private var isPipelined: Bool { policy.pipelineFrameCount != nil }

    /// The format of the units' memories.
    ///
    /// In a pipeline a unit writes four blocks in turn, and its fallback four others.
    private var memoryFormat: ChainFormat {
        var format = format
        if isPipelined { format.slotCount = max(8, format.slotCount) }
        return format
    }

    /// Blocks of the chain's own input.
    ///
    /// A side chain needs them until its unit has rendered the block.
    static func sourceSlotCount(_ links: [ChainLink], _ format: ChainFormat, _ policy: ChainPolicy) -> Int {
        guard policy.pipelineFrameCount != nil, links.contains(where: \.hasSideChain) else { return format.slotCount }
        var count = format.slotCount
        // The last unit may still render the cycle before.
        while count < links.count + (policy.rendersAhead ? 1 : 0) { count *= 2 }
        return count
    }

    /// The units' memories, allocated by several threads at once: each costs the kernel much time.
    private func memories(_ links: [ChainLink]) throws(HostingError) -> [UnitMemory] {
        try Thread.map(links, name: "allocate") { [format, memoryFormat] link throws(HostingError) in
            let formats = try link.unit.formats(in: format, hasSideChain: link.hasSideChain, sideInputs: link.sideInputs)
            do throws(SystemError) {
                return try UnitMemory(
                    name: link.unit.name, format: memoryFormat, inputBusCount: formats.inputs.count,
                    outputBusCount: formats.outputs.count,
                    outputChannelCount: formats.outputs.reduce(0) { $0 + $1.channelCount })
            } catch {
                throw .system(error)
            }
        }
    }

    private func wiring(_ link: ChainLink, _ index: Int, _ memories: [UnitMemory]) throws(HostingError) -> UnitWiring {
        let formats = try link.unit.formats(in: format, hasSideChain: link.hasSideChain, sideInputs: link.sideInputs)
        return UnitWiring(
            memory: memories[index], hostDoorbell: monitor.doorbellMemory,
            successorDoorbell: index + 1 < memories.count ? memories[index + 1].doorbellMemory : nil,
            inputMemory: index == 0 ? source : memories[index - 1].outputMemory,
            inputLayout: index == 0 ? sourceLayout : memories[index - 1].outputLayout,
            sideChain: link.hasSideChain ? (source, sourceLayout) : nil, sideInputs: link.sideInputs, format: format,
            inputs: formats.inputs,
            outputs: formats.outputs)
    }

    private func member(_ link: ChainLink, _ wiring: UnitWiring, _ allocation: Allocated) -> ChainMember {
        ChainMember(
            unit: link.unit, wiring: wiring, automation: link.automation, delays: allocation.delays,
            renderer: renderer(link, wiring, allocation.region, allocation.delays.latencyFrameCount), monitor, wakeUp: wakeUp)
    }

    private func renderer(
        _ link: ChainLink, _ wiring: UnitWiring, _ region: Region, _ latency: Int
    ) -> UnsafeMutablePointer<UnitRenderer> {
        let ends = link.unit.mailbox.renderEnds()
        let renderer = UnsafeMutablePointer<UnitRenderer>.allocate(capacity: 1)
        renderer.initialize(
            to: UnitRenderer(
                region: region, memory: wiring.memory, channelCount: wiring.outputs.first?.channelCount ?? 0,
                events: UnitEvents(
                    region: region, commands: ends.commands, notices: ends.notices, lanes: link.automation),
                dry: DryDelay(
                    channelCount: format.channelCount, maximumFrameCount: format.maximumFrameCount,
                    latencyFrameCount: latency),
                format: format, fallback: link.fallback,
                audioGuard: AudioGuard(ceiling: policy.ceiling),
                home: link.unit.unitProcess.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0, isPipelined: isPipelined,
                hasSideChain: link.hasSideChain || !link.sideInputs.isEmpty))
        if let connection = link.unit.state.withLock({ $0.connection }) as? InProcessConnection {
            renderer.pointee.inProcess = (connection.table, connection.unit)
        }
        renderer.pointee.sharedState.pointee.offer()
        return renderer
    }

}

// MARK: - Allocating

extension ChainBuilder {
    /// A unit's region, and the delays that it reported when it allocated.
    private struct Allocated: Sendable {
        let region: Region
        let delays: HostedUnit.Delays
    }

    /// Lets the units allocate, several at once, because each maps and touches its memory meanwhile.
    ///
    /// Units of one process allocate one after the other, units in the host's process on the calling thread. After a failure no
    /// further unit begins; its result is nil.
    private func allocate(_ links: [ChainLink], _ wirings: [UnitWiring]) -> [Result<Allocated, HostingError>?] {
        let hasFailed = Mutex(false)
        let allocateEach: @Sendable ([Int]) -> [(Int, Result<Allocated, HostingError>?)] = { indices in
            indices.map { index in
                guard !hasFailed.withLock({ $0 }) else { return (index, nil) }
                let outcome = Result { () throws(HostingError) in try Self.allocate(links[index], wirings[index]) }
                if case .failure = outcome { hasFailed.withLock { $0 = true } }
                return (index, outcome)
            }
        }
        let (away, home) = Self.processes(of: links)
        var outcomes = [Result<Allocated, HostingError>?](repeating: nil, count: links.count)
        for (index, outcome) in Thread.map(away, name: "allocate", allocateEach).joined() { outcomes[index] = outcome }
        for (index, outcome) in allocateEach(home) { outcomes[index] = outcome }
        return outcomes
    }

    private static func allocate(_ link: ChainLink, _ wiring: UnitWiring) throws(HostingError) -> Allocated {
        try applyInitialAutomation(link)
        let region = wiring.memory.formatRegion()
        let delays = link.unit.hasDied ? try link.unit.revive(wiring) : try link.unit.allocateResources(wiring)
        return Allocated(region: region, delays: delays)
    }

    /// The indices of the units, by process, and of those in the host's process.
    private static func processes(of links: [ChainLink]) -> (away: [[Int]], home: [Int]) {
        let processes = links.map { $0.unit.unitProcess.map(ObjectIdentifier.init) }
        var groups: [ObjectIdentifier: [Int]] = [:]
        for (index, process) in processes.enumerated() { if let process { groups[process, default: []].append(index) } }
        let away = groups.values.sorted { $0[0] < $1[0] }
        return (away, links.indices.filter { processes[$0] == nil })
    }

    /// A lane that begins at the start sets its first value before anything is rendered.
    private static func applyInitialAutomation(_ link: ChainLink) throws(HostingError) {
        for lane in link.automation {
            guard let value = lane.value(at: 0), let keyPath = link.unit.parameters.keyPath(ofAddress: lane.address) else {
                continue
            }
            try link.unit.set(keyPath, to: value)
        }
    }
}
