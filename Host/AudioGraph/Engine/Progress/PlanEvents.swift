// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The events of an engine that changes its plans, and its actions in answer. Any thread but the render thread.

import Rendering

extension PlanProgress {
    /// An event.
    enum Event {
        /// There is a player without a plan.
        case opened
        /// The player is gone, and nothing renders.
        case stopped
        /// The graph plays from now on; without fades everything is audible at once.
        case started(isFaded: Bool)
        /// The program has made an edit.
        case edited(Edit)

        /// All nodes have their resources.
        case prepared
        /// A node could not take its resources.
        case notPrepared(AudioEngineError)
        /// The plan is compiled, and the player has it.
        case handedOver(Receipt)
        /// The plan could not be compiled.
        case refused(AudioEngineError)

        /// The plan with this number is heard; `times` are the sample times at which plans began that tickets wait for.
        case heard(UInt64, times: [UInt64: Int64])
        /// Of the connections that fade out, these are inaudible now.
        case faded(Set<ObjectIdentifier>)
        /// This number of plans may still be rendered.
        case plansInUse(Int)
        /// Plans that may still be rendered hold these nodes.
        case nodesInUse(Set<ObjectIdentifier>)
        /// Nodes have given their resources back; those in `changing` have to fade out first, because the graph gives them other ones.
        case gaveBack(changing: [AudioNode])
        /// Units have reported their latencies, at a time in nanoseconds; nil if plans need not be limited.
        case latencies(haveChanged: Bool, at: UInt64?)
        /// These connections pass the sound on unchanged.
        case plain(Set<ObjectIdentifier>)
        /// Rows with these identities have units without their wiring.
        case wanting(Set<ObjectIdentifier>)
        /// The units of the rows have been asked to take their wiring.
        case wired
        /// The units of the rows could not be asked.
        case notWired(AudioEngineError)
    }

    /// An edit that will be heard; the graph lists its broken connections and detached nodes.
    struct Edit {
        /// The nodes that need other resources or another rate.
        var changing: [AudioNode] = []
        var tickets: [EditTicket] = []
        /// The number of the next plan.
        var nextSerial: UInt64
    }

    /// The facts about a plan that the player has.
    struct Receipt {
        let serial: UInt64
        var connections: [PlannedConnection] = []
        /// The connections that could be inside rows, and still fade in.
        var joining: [ConnectionState] = []
        var rows: [ObjectIdentifier] = []
    }

    /// An action of the engine.
    enum Action {
        /// Lets nodes that will be heard take their resources; answered by `prepared` or `notPrepared`.
        case prepare
        /// Compiles a plan and hands it over; answered by `handedOver` or `refused`.
        case play(NextPlan)
        /// Lets nodes give back their resources, in exchange for others; answered by `gaveBack`.
        case giveBack([AudioNode])
        /// Lets detached nodes give back their resources, and frees them for other engines.
        case release([AudioNode])
        /// Wires rows; answered by `wired` or `notWired`, some time later.
        case wire([ObjectIdentifier])
        /// Gives a ticket the sample time from which its edit is heard.
        case resolve(EditTicket, at: Int64)
        /// Throws from the edit or the start.
        case refuse(AudioEngineError)
        /// Reports an error to the program, and to the tickets of edits that are not heard yet.
        case tell(AudioEngineError, [EditTicket])
    }
}
