// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Orders a graph's nodes by signal flow, finds its cycles, and gives its connections buses. Any thread.

extension GraphDocument {
    /// A connection between places: first those of the nodes, then the main mixer's, then the output's.
    struct Wire: Hashable {
        let source: Int
        let sourceBus: Int
        let destination: Int
        let destinationBus: Int
        /// The connection's index in the document; nil for the one that every graph has.
        let connection: Int?
    }

    /// The place of the main mixer.
    var mainPlace: Int { nodes.count }
    /// The place of the output.
    var outputPlace: Int { nodes.count + 1 }

    /// The name by which connections call the node at a place.
    package func name(at place: Int) -> String {
        place == mainPlace ? Self.mainID : place == outputPlace ? Self.outputID : nodes[place].id
    }

    /// The names of the nodes from which no connection leads on; whatever leads to them alone is not heard either.
    package var idleNodes: [String] {
        let sources = Set(connections.map(\.from.node))
        return nodes.map(\.id).filter { !sources.contains($0) }
    }

    /// The nodes and buses of a connection, without its level.
    struct Ends: Hashable {
        let from: End
        let to: End

        /// Bus 0 of an output is the same with and without its number.
        init(_ connection: Connection) {
            (from, to) = (End(connection.from.node, bus: connection.from.bus ?? 0), connection.to)
        }
    }

    /// All connections with their buses, in the document's order; the main mixer leads to the output unless another node does.
    ///
    /// The document may have a cycle, but no other defect.
    var wires: [Wire] { wires(keeping: [:]) }

    /// The connections, where those to mixers keep the buses that they have.
    func wires(keeping buses: [Ends: Int]) -> [Wire] {
        var places = Dictionary(nodes.enumerated().map { ($1.id, $0) }) { first, _ in first }
        (places[Self.mainID], places[Self.outputID]) = (mainPlace, outputPlace)
        let given = givenBuses(places, keeping: buses)
        var taken: [Int: Set<Int>] = [:]
        for (connection, bus) in zip(connections, given) {
            if let place = places[connection.to.node], let bus { taken[place, default: []].insert(bus) }
        }
        var next: [Int: Int] = [:]
        var wires: [Wire] = []
        for (index, connection) in connections.enumerated() {
            guard let source = places[connection.from.node], let destination = places[connection.to.node] else { continue }
            var bus = given[index] ?? 0
            if given[index] == nil, isMixer(destination) {
                bus = next[destination] ?? 0
                while taken[destination]?.contains(bus) == true { bus += 1 }
                next[destination] = bus + 1
            }
            wires.append(
                Wire(
                    source: source, sourceBus: connection.from.bus ?? 0, destination: destination, destinationBus: bus,
                    connection: index))
        }
        if !wires.contains(where: { $0.destination == outputPlace && $0.destinationBus == 0 }) {
            wires.append(Wire(source: mainPlace, sourceBus: 0, destination: outputPlace, destinationBus: 0, connection: nil))
        }
        return wires
    }

    /// The bus that each connection names or keeps; nil if it gets one.
    private func givenBuses(_ places: [String: Int], keeping buses: [Ends: Int]) -> [Int?] {
        var named: [Int: Set<Int>] = [:]
        for connection in connections {
            guard let place = places[connection.to.node], let bus = connection.to.bus else { continue }
            named[place, default: []].insert(bus)
        }
        return connections.map { connection in
            if let bus = connection.to.bus { return bus }
            guard let place = places[connection.to.node], isMixer(place), let bus = buses[Ends(connection)],
                named[place, default: []].insert(bus).inserted
            else { return nil }
            return bus
        }
    }

    func isMixer(_ place: Int) -> Bool {
        guard place < nodes.count else { return place == mainPlace }
        return nodes[place].kind.addsUp
    }

    /// The places in the order of signal flow; a cycle and its destinations are missing.
    package var order: [Int] {
        var open = [Int](repeating: 0, count: nodes.count + 2)
        var followers = [[Int]](repeating: [], count: nodes.count + 2)
        for wire in wires {
            open[wire.destination] += 1
            followers[wire.source].append(wire.destination)
        }
        var order = open.indices.filter { open[$0] == 0 }
        var done = 0
        while done < order.count {
            for follower in followers[order[done]] {
                open[follower] -= 1
                if open[follower] == 0 { order.append(follower) }
            }
            done += 1
        }
        return order
    }

    /// The names of nodes that feed each other in this order, the last one the first; nil if there are none.
    var cycle: [String]? {
        let ordered = Set(order)
        guard ordered.count < nodes.count + 2 else { return nil }
        // A remaining node is fed by another one, so going back long enough leads into a cycle.
        var former: [Int: Int] = [:]
        for wire in wires where !ordered.contains(wire.destination) && !ordered.contains(wire.source) {
            former[wire.destination] = wire.source
        }
        guard var place = former.keys.min() else { return nil }
        var seen: [Int: Int] = [:]
        var path: [Int] = []
        while seen[place] == nil {
            seen[place] = path.count
            path.append(place)
            guard let next = former[place] else { return nil }
            place = next
        }
        let ring = Array(path[(seen[place] ?? 0)...].reversed())
        // The document's first node comes first.
        let start = ring.indices.min { ring[$0] < ring[$1] } ?? 0
        return (ring[start...] + ring[..<start]).map(name)
    }
}
