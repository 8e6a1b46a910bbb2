// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Wires the units of a chain: each reads its predecessor's output where it lies. Control thread.

import AudioUnits
import CWireLayout
import LinuxSystem
import Realtime
import Wire

/// Makes the members of one chain.
struct ChainBuilder {
    let format: ChainFormat
    let policy: ChainPolicy
    let hostDoorbell: SharedMemory
    let source: SharedMemory
    let sourceLayout: AudioMemoryLayout
    /// Wakes the supervisor.
    let news: EventDescriptor

    /// Allocates every unit's resources. When one fails, those before it give theirs back.
    func members(_ links: [ChainLink]) throws(HostingError) -> [ChainMember] {
        let memories = try self.memories(links)
        var members: [ChainMember] = []
        do throws(HostingError) {
            for index in links.indices { members.append(try member(links[index], index, memories)) }
        } catch {
            members.forEach { $0.unit.deallocateResources() }
            throw error
        }
        return members
    }

    /// Whether the units render at the same time.
    private var isPipelined: Bool { policy.pipelineFrameCount != nil }

    /// That of the units' memories: in a pipeline there are four blocks that a unit writes in turn, and four for what stands in for it.
    private var memoryFormat: ChainFormat {
        var format = format
        if isPipelined { format.slotCount = max(8, format.slotCount) }
        return format
    }

    /// Blocks of the chain's own input: where a unit hears it beside, it has to last until the unit renders the block.
    static func sourceSlotCount(_ links: [ChainLink], _ format: ChainFormat, _ policy: ChainPolicy) -> Int {
        guard policy.pipelineFrameCount != nil, links.contains(where: \.hasSideChain) else { return format.slotCount }
        var count = format.slotCount
        while count < links.count { count *= 2 }
        return count
    }

    private func memories(_ links: [ChainLink]) throws(HostingError) -> [UnitMemory] {
        var memories: [UnitMemory] = []
        for link in links {
            let formats = try link.unit.formats(in: format, hasSideChain: link.hasSideChain)
            do throws(SystemError) {
                memories.append(
                    try UnitMemory(
                        name: link.unit.name, format: memoryFormat, inputBusCount: formats.inputs.count,
                        outputBusCount: formats.outputs.count,
                        outputChannelCount: formats.outputs.reduce(0) { $0 + $1.channelCount }))
            } catch {
                throw .system(error.description)
            }
        }
        return memories
    }

    private func member(_ link: ChainLink, _ index: Int, _ memories: [UnitMemory]) throws(HostingError) -> ChainMember {
        let formats = try link.unit.formats(in: format, hasSideChain: link.hasSideChain)
        let wiring = UnitWiring(
            memory: memories[index], hostDoorbell: hostDoorbell,
            successorDoorbell: index + 1 < memories.count ? memories[index + 1].doorbellMemory : nil,
            inputMemory: index == 0 ? source : memories[index - 1].outputMemory,
            inputLayout: index == 0 ? sourceLayout : memories[index - 1].outputLayout,
            sideChain: link.hasSideChain ? (source, sourceLayout) : nil, format: format, inputs: formats.inputs,
            outputs: formats.outputs)
        try applyInitialAutomation(link)
        let region = memories[index].formatRegion()
        let delays = try link.unit.allocateResources(wiring)
        return ChainMember(
            unit: link.unit, wiring: wiring, automation: link.automation, delays: delays,
            renderer: renderer(link, wiring, region, delays.latencyFrameCount), news: news)
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
                hasSideChain: link.hasSideChain))
        if let connection = link.unit.state.withLock({ $0.connection }) as? InProcessConnection {
            renderer.pointee.inProcess = (connection.table, connection.unit)
        }
        renderer.pointee.words.pointee.offer()
        return renderer
    }

    /// A lane that begins at the start sets its first value before anything is rendered.
    private func applyInitialAutomation(_ link: ChainLink) throws(HostingError) {
        for lane in link.automation {
            guard let value = lane.value(at: 0), let keyPath = link.unit.parameters.keyPath(ofAddress: lane.address) else {
                continue
            }
            try link.unit.set(keyPath, to: value)
        }
    }
}
