// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The knowledge of an engine between two plans. Any thread but the render thread.

import Rendering

extension PlanProgress {
    /// The state between two plans.
    struct Standing {
        /// True if there is a player.
        var isPlaying = false
        /// The number of the plan that was handed over last; 0 before the first.
        var serial: UInt64 = 0
        /// The graph that plays; nil before the first plan.
        var graph: GraphState?
        /// True if the newest graph has to wait until the connections that it lacks have faded out.
        var isHeldBack = false
        /// The connections that fade out.
        var leaving: [Leaving] = []
        /// The records of detached nodes that are heard until they have faded.
        var departed: [ObjectIdentifier: GraphState.Record] = [:]
        var departure = Departure.none
        /// The connections of the last plan.
        var connections: [PlannedConnection] = []
        /// The connections that will be inside rows once they have faded in.
        var joining: [ConnectionState] = []
        /// The rows of the last plan whose units may not have taken their wiring.
        var unwired: [ObjectIdentifier] = []
    }

    /// An edit that is not heard yet, and the number of the plan that holds it; nil until a plan does.
    struct Waiting {
        let ticket: EditTicket
        var serial: UInt64?
    }

    /// A connection that fades out, and the number of the plan in which its fade began.
    struct Leaving {
        let link: GraphState.Link
        let serial: UInt64
    }

    /// A connection of a plan, by the identity of its state.
    struct PlannedConnection {
        let state: ObjectIdentifier
        let isLeaving: Bool
    }

    /// The progress of nodes that need other resources or another rate, on their way out of the present graph.
    enum Departure {
        case none
        /// The connections to them and from them fade out.
        case fading([AudioNode])
        /// The newest plan does not hold them; an older one may.
        case leaving([AudioNode])
        /// No plan holds them, and they have no resources; the newest graph follows.
        case gone

        var isUnderWay: Bool { if case .none = self { false } else { true } }
    }

    /// The time until the next look, in nanoseconds.
    enum Pace: UInt64, Comparable {
        /// For a fade, or an edit that is not heard yet.
        case soon = 2_000_000
        /// For a completion: its time does not depend on the look.
        case moderate = 10_000_000
        /// Without anything known to wait for, or after a plan that has failed.
        case slow = 200_000_000

        static func < (left: Pace, right: Pace) -> Bool { left.rawValue < right.rawValue }
    }
}
