// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the mixers that need no memory of their own for a signal. Control thread.

/// The mixers that pass a signal on in place, and the one that writes into the driver's memory.
///
/// A mixer turns −0 into +0, and a signal that it passes on keeps −0. So it passes signals on only to mixers: their sums are the
/// same to the last bit.
struct PlanPassage {
    /// True, for each node, for a mixer with one plain input whose readers are all mixers.
    ///
    /// Each cycle checks that the levels are 1 and nothing fades.
    private(set) var handsOn: [Bool]
    /// True, for each node, for a mixer whose only reader is the driver's main output.
    private(set) var fillsDriver: [Bool]

    init(_ graph: RenderGraph, _ order: GraphOrder) {
        handsOn = [Bool](repeating: false, count: graph.nodes.count)
        fillsDriver = handsOn
        // For each node, the number of its readers, and of mixers and main outputs among them.
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

    /// True if a connection carries each channel into the channel of the same number, without a processor.
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
