// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What happens to an engine that changes its plans, and what it does then. Any thread but the render thread.

import Rendering

extension PlanProgress {
    /// What has happened.
    enum Event {
        /// There is a player without a plan.
        case opened
        /// The player is gone, and nothing renders.
        case stopped
        /// The graph is to be played from now on; without fades everything is there at once.
        case started(isFaded: Bool)
        /// An edit is to be heard.
        case edited(Edit)

        /// All nodes have their resources.
        case prepared
        /// A node has not got its resources.
        case notPrepared(AudioEngineError)
        /// The plan is compiled, and the player has it.
        case handedOver(Receipt)
        /// The plan could not be compiled.
        case refused(AudioEngineError)

        /// The plan of a number is heard, with the sample times at which plans began that tickets wait for.
        case heard(UInt64, times: [UInt64: Int64])
        /// The connections that are inaudible now, of those that fade out.
        case faded(Set<ObjectIdentifier>)
        /// So many plans may still be rendered.
        case plansInUse(Int)
        /// Plans that may still be rendered hold these nodes.
        case nodesInUse(Set<ObjectIdentifier>)
        /// Nodes have given their resources back. Others have to fade out first: the graph wants other ones for them.
        case gaveBack(changing: [AudioNode])
        /// Units have been asked for their latencies, at a time in nanoseconds; nil where no plan is too many.
        case latencies(haveChanged: Bool, at: UInt64?)
        /// These connections pass everything on as it comes.
        case plain(Set<ObjectIdentifier>)
        /// Rows with these identities have units without their wiring.
        case wanting(Set<ObjectIdentifier>)
        /// The units of the rows have been asked.
        case wired
        /// The units of the rows could not be asked.
        case notWired(AudioEngineError)
    }

    /// An edit that is to be heard; the graph says what it has broken and detached.
    struct Edit {
        /// The nodes that need other resources or another rate.
        var changing: [AudioNode] = []
        var tickets: [EditTicket] = []
        /// The number of the plan that is made next.
        var nextSerial: UInt64
    }

    /// What the player has got.
    struct Receipt {
        let serial: UInt64
        var connections: [PlannedConnection] = []
        /// The connections that could be inside rows, and still fade in.
        var joining: [ConnectionState] = []
        var rows: [ObjectIdentifier] = []
        /// Why units stay single that could be a row.
        var rowFailure: AudioEngineError?
    }

    /// What is to be done.
    enum Action {
        /// Nodes that will be heard take their resources; answered by `prepared` or `notPrepared`.
        case prepare
        /// A plan is compiled and handed over; answered by `handedOver` or `refused`.
        case play(NextPlan)
        /// Nodes give back their resources and will get others; answered by `gaveBack`.
        case giveBack([AudioNode])
        /// Detached nodes give back their resources, and other engines may have them.
        case release([AudioNode])
        /// Rows are wired; answered by `wired` or `notWired`, some time later.
        case wire([ObjectIdentifier])
        /// A ticket learns the sample time from which on its edit is heard.
        case resolve(EditTicket, at: Int64)
        /// The edit or the start throws.
        case refuse(AudioEngineError)
        /// The program is told what has gone wrong meanwhile, and so are the tickets of edits that are not heard yet.
        case tell(AudioEngineError, [EditTicket])
    }
}
