// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is compiled next: a graph, and what becomes of its connections. Any thread but the render thread.

/// A graph that is to be compiled, with what fades out of it.
struct NextPlan {
    /// What becomes of a connection of the graph.
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
    /// Whether something plays, so that what comes fades in.
    let isFaded: Bool
    /// The connections that fade out and that the graph does not hold.
    let leaving: [GraphState.Link]
    /// What is known of nodes that have been detached, and are heard until they have faded.
    let departed: [ObjectIdentifier: GraphState.Record]

    private let newest: GraphState
    private let changing: Set<ObjectIdentifier>
    private let gone: Set<ObjectIdentifier>

    /// The newest graph, all of which stays.
    init(_ newest: GraphState, after standing: PlanProgress.Standing, isFaded: Bool) {
        self.init(newest, newest, standing, isHeldBack: false, isFaded: isFaded, changing: [], gone: [])
    }

    /// The graph that plays, less what the newest one does not hold, and less what leads to `changing` and from them.
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

    /// What becomes of a connection of the graph.
    func fate(of link: GraphState.Link) -> Fate {
        guard isHeldBack else { return .stays }
        if gone.contains(ObjectIdentifier(link.state)) { return .isGone }
        let isChanging =
            changing.contains(ObjectIdentifier(link.source)) || changing.contains(ObjectIdentifier(link.destination))
        return newest.holds(link) && !isChanging ? .stays : .leaves
    }
}

extension GraphState {
    /// The graph with its edit made: nothing in it is broken or detached.
    var settled: GraphState {
        var graph = self
        (graph.broken, graph.detached) = ([], [])
        return graph
    }
}
