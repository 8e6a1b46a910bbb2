// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What an engine knows between two plans. Any thread but the render thread.

import Rendering

extension PlanProgress {
    /// What holds between two plans.
    struct Standing {
        /// Whether there is a player.
        var isPlaying = false
        /// The number of the plan that was handed over last; 0 before the first.
        var serial: UInt64 = 0
        /// The graph that is played; nil before the first plan.
        var graph: GraphState?
        /// Whether the newest graph has to wait until what it does not hold has faded out.
        var isHeldBack = false
        /// The connections that fade out.
        var leaving: [Leaving] = []
        /// What is known of nodes that have been detached, and are heard until they have faded.
        var departed: [ObjectIdentifier: GraphState.Record] = [:]
        var departure = Departure.none
        /// The connections of the last plan.
        var connections: [PlannedConnection] = []
        /// The connections that will be inside rows once they have faded in.
        var joining: [ConnectionState] = []
        /// The rows of the last plan whose units may not have taken their wiring.
        var unwired: [ObjectIdentifier] = []
    }

    /// An edit that is not heard yet, and the number of the plan that holds it; nil before there is one.
    struct Waiting {
        let ticket: EditTicket
        var serial: UInt64?
    }

    /// A connection that fades out, and the number of the plan in which it began to.
    struct Leaving {
        let link: GraphState.Link
        let serial: UInt64
    }

    /// A connection of a plan, by the identity of its state.
    struct PlannedConnection {
        let state: ObjectIdentifier
        let isLeaving: Bool
    }

    /// How far nodes that need other resources or another rate have left what is played.
    enum Departure {
        case none
        /// What leads to them and from them fades out.
        case fading([AudioNode])
        /// The newest plan does not hold them; an older one may.
        case leaving([AudioNode])
        /// No plan holds them, and they have no resources; the newest graph follows.
        case gone

        var isUnderWay: Bool { if case .none = self { false } else { true } }
    }

    /// How soon to look again, in nanoseconds.
    enum Pace: UInt64, Comparable {
        /// A fade, or an edit that is not heard yet.
        case soon = 2_000_000
        /// A completion: its time does not depend on the look.
        case moderate = 10_000_000
        /// Nothing that is known, or a plan that has failed.
        case slow = 200_000_000

        static func < (left: Pace, right: Pace) -> Bool { left.rawValue < right.rawValue }
    }
}
