// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a saboteur can be told to do; Tests/TestPlugins/CSaboteur/Orders.h explains the orders. Any thread.

import AudioUnits
import PluginHosting

/// The numbers of the orders in C.
public enum Order: UInt8, Sendable {
    case replySequence = 1
    case replyFrames, replyStatus, completed, eventsWritten, eventsRead, cutLifeline, noLifeline, eventFlood
    case ringEarly = 20
    case ringTwice, ringNobody, ringStorm, dieBeforeTheWake, completeEarly, endRenderThread, neverSleep, takeBackRing
    case scribbleRegion = 40
    case scribbleButLifeline, scribbleOutput, scribbleHostDoorbell, scribbleSuccessor, sleepAtDoorbells, scribbleOwnDoorbell
    case sayNothing = 60
    case answerLate, halfMessage, halfBody, twoGigabytes, twoGigabytesInMemory, wrongSerial, wrongKind, longDatagram
    case floodSocket, manyDescriptors, openBody, nonsense, closeDescriptors

    /// The argument that means without end.
    public static let always: UInt8 = 127
    /// The arguments that choose nasty numbers.
    public static let nastyNumbers: Range<UInt8> = 0..<12

    /// Makes a unit carry it out in its next block.
    public func give(to unit: HostedUnit, _ argument: UInt8 = 0) throws { try unit.send(MIDIMessage(0xB0, rawValue, argument)) }
}
