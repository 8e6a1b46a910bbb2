// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The orders that a saboteur obeys; Tests/TestPlugins/CSaboteur/Orders.h explains each. Any thread.

import AudioUnits
import PluginHosting

/// The numbers of the orders, as in C.
package enum Order: UInt8, Sendable {
    case replySequence = 1
    case replyFrames, replyStatus, completed, eventsWritten, eventsRead, cutLifeline, noLifeline, eventFlood
    case ringEarly = 20
    case ringTwice, ringNobody, ringStorm, dieBeforeTheWake, completeEarly, endRenderThread, neverSleep, takeBackRing
    case scribbleRegion = 40
    case scribbleButLifeline, scribbleOutput, scribbleHostDoorbell, scribbleSuccessor, sleepAtDoorbells, scribbleOwnDoorbell
    case sayNothing = 60
    case answerLate, halfMessage, halfBody, twoGigabytes, twoGigabytesInMemory, wrongSerial, wrongKind, longDatagram
    case floodSocket, manyDescriptors, openBody, shortPiece, nonsense, closeDescriptors

    /// The argument for an act without an end.
    package static let always: UInt8 = 127
    /// The arguments for extreme numbers.
    package static let nastyNumbers: Range<UInt8> = 0..<12

    /// Makes a unit obey the order in its next block.
    package func give(to unit: HostedUnit, _ argument: UInt8 = 0) throws { try unit.send(MIDIMessage(0xB0, rawValue, argument)) }
}
