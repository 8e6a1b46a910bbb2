// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The input of the next compilation: a graph, and the fate of its connections. Any thread but the render thread.

/// A graph to compile, with the connections that fade out of it.
struct NextPlan {
    /// The future of a connection of the graph.
    enum Fate {
        case stays
        /// It fades out.
        case leaves
        /// It has faded out.
        case isGone
    }

    /// The newest graph, or the one that plays while the newest is held back.
    let graph: GraphState
    let isHeldBack: Bool
    /// True if something plays, so that new connections fade in.
    let isFaded: Bool
    /// The connections that fade out and are not in the graph.
    let leaving: [GraphState.Link]
    /// The records of detached nodes that are heard until they have faded.
    let departed: [ObjectIdentifier: GraphState.Record]

    private let newest: GraphState
    private let changing: Set<ObjectIdentifier>
    private let gone: Set<ObjectIdentifier>

    /// Makes the next plan of the newest graph, all of which stays.
    init(_ newest: GraphState, after standing: PlanProgress.Standing, isFaded: Bool) {
        self.init(newest, newest, standing, isHeldBack: false, isFaded: isFaded, changing: [], gone: [])
    }

    /// Makes the next plan of the present graph, without the connections that the newest one lacks or that touch nodes in `changing`.
    ///
    /// The connections in `gone` have faded out.
    init(
        holdingBack newest: GraphState, after standing: PlanProgress.Standing, without changing: [AudioNode],
        gone: Set<ObjectIdentifier>
    ) {
        self.init(
            standing.graph ?? newest, newest, standing, isHeldBack: true, isFaded: true,
            changing: Set(changing.map { ObjectIdentifier($0) }), gone: gone)
    }

    private init(
        _ graph: GraphState, _ newest: GraphState, _ standing: PlanProgress.Standing, isHeldBack: Bool, isFaded: Bool,
        changing: Set<ObjectIdentifier>, gone: Set<ObjectIdentifier>
    ) {
        (self.graph, self.newest, departed) = (graph, newest, standing.departed)
        (self.isHeldBack, self.isFaded) = (isHeldBack, isFaded)
        (self.changing, self.gone) = (changing, gone)
        leaving = standing.leaving.map(\.link).filter { !graph.holds($0) }
    }

    /// Returns the future of a connection of the graph.
    func fate(of link: GraphState.Link) -> Fate {
        guard isHeldBack else { return .stays }
        if gone.contains(ObjectIdentifier(link.state)) { return .isGone }
        let isChanging =
            changing.contains(ObjectIdentifier(link.source)) || changing.contains(ObjectIdentifier(link.destination))
        return newest.holds(link) && !isChanging ? .stays : .leaves
    }
}

extension GraphState {
    /// The graph after its edit: it has no broken or detached parts.
    var settled: GraphState {
        var graph = self
        (graph.broken, graph.detached) = ([], [])
        return graph
    }
}
