// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which mixers need not write a signal into memory of their own. Control thread.

/// The mixers that hand a signal on where it lies, and the one that writes into the driver's memory.
///
/// A mixer makes +0 of −0, and what it hands on keeps −0. So it hands on to mixers alone: their sums are the same to the last bit.
struct PlanPassage {
    /// For each node, whether it is a mixer with one plain input that only mixers read.
    ///
    /// Whether the levels are 1, and nothing fades, is seen in each cycle.
    private(set) var handsOn: [Bool]
    /// For each node, whether it is a mixer that the driver's main output alone reads.
    private(set) var fillsDriver: [Bool]

    init(_ graph: RenderGraph, _ order: GraphOrder) {
        handsOn = [Bool](repeating: false, count: graph.nodes.count)
        fillsDriver = handsOn
        // Of each node, its readers, and those among them that are mixers or the driver's main output.
        var readers = [Int](repeating: 0, count: graph.nodes.count)
        var (mixers, outputs) = (readers, readers)
        for connection in graph.connections where order.isActive[connection.destination.node] {
            let (source, destination) = (connection.source.node, connection.destination)
            readers[source] += 1
            if case .mix = graph.nodes[destination.node].work, connection.state.processor == nil { mixers[source] += 1 }
            if case .render(let node) = graph.nodes[destination.node].work, node.isDriverOutput,
                order.incoming[destination.node].allSatisfy({
                    graph.connections[$0].destination.bus != 0 || graph.connections[$0].source.node == source
                })
            {
                outputs[source] += destination.bus == 0 ? 1 : 0
            }
        }
        for (index, node) in graph.nodes.enumerated() where order.isActive[index] {
            guard case .mix(_, let sum) = node.work else { continue }
            fillsDriver[index] = readers[index] == 1 && outputs[index] == 1 && node.clock == 0
            guard sum == nil, readers[index] > 0, readers[index] == mixers[index], order.incoming[index].count == 1 else {
                continue
            }
            handsOn[index] = order.incoming[index].allSatisfy { Self.isPlain(graph.connections[$0], graph) }
        }
    }

    /// Whether a connection carries each channel into the channel of the same number, and at no place.
    private static func isPlain(_ connection: RenderGraph.Connection, _ graph: RenderGraph) -> Bool {
        let (source, destination) = (graph.nodes[connection.source.node], graph.nodes[connection.destination.node])
        let (sourceBus, bus) = (connection.source.bus, connection.destination.bus)
        let count = source.outputChannelCounts[sourceBus]
        guard connection.state.processor == nil, destination.outputChannelCounts == [count],
            bus < destination.inputChannelCounts.count
        else { return false }
        let routes = ChannelMap.routes(from: count, source.outputLayouts[sourceBus], to: count, destination.outputLayouts[0])
        return routes.count == count
            && routes.enumerated().allSatisfy { $1.source == $0 && $1.destination == $0 && $1.gain == 1 }
    }
}
