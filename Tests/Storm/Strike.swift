// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every fault that a storm commits. Main thread.

import Glibc
import HostingTestSupport

/// One fault that is committed on a unit.
struct Strike: Hashable {
    enum Way: Hashable {
        /// A signal to the process.
        case signal(Int32)
        /// A stop of the process, for a while or for good.
        case halt(isForGood: Bool)
        /// A controller message that makes the unit commit the fault: the fault's number, and its argument.
        case order(UInt8, UInt8)
    }

    let name: String
    let way: Way
    /// The name of the units that obey; nil for a fault that needs no obedience.
    let whom: String?

    private init(_ name: String, _ way: Way, whom: String? = nil) { (self.name, self.way, self.whom) = (name, way, whom) }

    static let all: [Strike] = signals + misbehaviour + sabotage

    private static let signals = [
        Strike("kill", .signal(SIGKILL)), Strike("segmentationFault", .signal(SIGSEGV)), Strike("abort", .signal(SIGABRT)),
        Strike("floatingPointException", .signal(SIGFPE)), Strike("illegalInstruction", .signal(SIGILL)),
        Strike("busError", .signal(SIGBUS)), Strike("trap", .signal(SIGTRAP)), Strike("terminate", .signal(SIGTERM)),
        Strike("halt", .halt(isForGood: false)), Strike("haltForGood", .halt(isForGood: true)),
    ]

    /// The faults of the Misbehaver.
    ///
    /// The argument is a number of tens of milliseconds, 127 for an act without end, or a signal. A block of denormals is left
    /// out: it is audible as it is, with a step before it.
    private static let misbehaviour: [Strike] = [
        ("exitInside", 1, 0), ("crashInside", 2, 0), ("killInside", 3, 0), ("loop", 4, 3), ("loopForGood", 4, 127), ("sleep", 5, 3),
        ("notANumber", 6, 0), ("stopInside", 8, 0), ("infinity", 9, 0), ("tooLoud", 10, 0), ("abortInside", 13, UInt8(SIGABRT)),
        ("leak", 15, 0), ("forkStorm", 16, 0), ("threadStorm", 17, 0), ("busyThreads", 18, 0),
    ].map { Strike($0.0, .order($0.1, $0.2), whom: "Misbehaver") }

    /// The faults of the Saboteur.
    ///
    /// Scribbling over its own sound is left out: the result may be as loud as the ceiling.
    private static let sabotage: [Strike] = [
        (.replySequence, 2), (.replyFrames, 3), (.replyStatus, 0), (.completed, 2), (.eventsWritten, 5), (.eventsRead, 5),
        (.cutLifeline, 0), (.noLifeline, 0), (.eventFlood, 10), (.ringEarly, 0), (.ringTwice, 0), (.ringNobody, 0),
        (.ringNobody, Order.always), (.ringStorm, 0), (.dieBeforeTheWake, 0), (.completeEarly, 0), (.endRenderThread, 0),
        (.neverSleep, Order.always), (.neverSleep, 5),
        (.scribbleRegion, 5), (.scribbleButLifeline, 5), (.scribbleHostDoorbell, 10), (.scribbleSuccessor, 10),
        (.scribbleOwnDoorbell, 10), (.sleepAtDoorbells, 0), (.sayNothing, 0), (.answerLate, 5), (.halfMessage, 0),
        (.twoGigabytes, 0), (.wrongSerial, 0),
        (.longDatagram, 0), (.floodSocket, 0), (.manyDescriptors, 0), (.openBody, 0), (.shortPiece, 0),
        (.closeDescriptors, 0),
    ].map { (order: Order, argument: UInt8) in
        Strike("\(order)", .order(order.rawValue, argument), whom: "Saboteur")
    }
}
