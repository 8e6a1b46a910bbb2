// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Asks a unit for more than the host ever does, to test whether the unit refuses. Control thread.

import CWireLayout
import LinuxSystem
import Synchronization
import Wire

extension UnitResources {
    /// The answer of a unit to a request for more frames than its resources hold.
    package enum OversizedAnswer: Sendable {
        case refused
        case rendered
        /// It answered with a status that is neither 0 (rendered) nor 1 (too many frames).
        case otherStatus(UInt32)
        /// It answered with the number of another request.
        case otherRequest(UInt64)
        /// It did not answer in time.
        case none
    }

    /// Asks the unit, past the host's own guard, for one frame more than its maximum.
    ///
    /// `[control]` Call it only while nothing renders the unit. The memory behind a block is the unit's own: a unit that does not
    /// refuse overwrites only its own output.
    package func askForTooManyFrames(timeoutMilliseconds: Int) -> OversizedAnswer {
        let started = MonotonicClock.now()
        renderer.pointee.begin(cycleIndex: 0, sampleTime: 0, frameCount: 0, isOffline: true)
        defer { renderer.pointee.end() }
        guard renderer.pointee.isUsable else { return .none }
        renderer.pointee.publishOversized(frameCount: wiring.format.maximumFrameCount + 1)
        renderer.pointee.run()
        while !renderer.pointee.isComplete {
            if MonotonicClock.now() > started + UInt64(timeoutMilliseconds) * 1_000_000 { return .none }
            Futex.pause(microseconds: 100)
        }
        return renderer.pointee.oversizedAnswer
    }
}

extension UnitRenderer {
    fileprivate mutating func publishOversized(frameCount: Int) {
        sequence &+= 1
        var request = WireRequest()
        request.sequence = sequence
        request.inputFrameCount = UInt32(frameCount)
        request.outputFrameCount = UInt32(frameCount)
        request.flags = UInt32(CWireLayout_requestOffline)
        request.wiring = wiring
        region.request(sequence).pointee = request
        // Release: a thread that reads this number sees the request.
        region.publishedSequence.store(sequence)
    }

    /// Runs the newest request, in process or out of process.
    fileprivate func run() {
        if inProcess != nil { renderInProcess() } else { grant() }
    }

    fileprivate var oversizedAnswer: UnitResources.OversizedAnswer {
        let reply = region.reply(sequence).pointee
        guard reply.sequence == sequence else { return .otherRequest(reply.sequence) }
        switch reply.status {
        case UInt32(CWireLayout_replyOK): return .rendered
        case UInt32(CWireLayout_replyTooManyFrames): return .refused
        default: return .otherStatus(reply.status)
        }
    }
}
