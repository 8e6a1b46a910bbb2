// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reports when an edit is heard. Any thread.

import LinuxSystem
import Synchronization

/// Follows an edit until it is heard.
///
/// An edit of an engine that does not run is heard when the engine has started.
public final class EditTicket: Sendable {
    private struct State {
        var sampleTime: Int64?
        var waiting: [CheckedContinuation<Int64?, Never>] = []
        /// True if the engine has gone.
        var isOver = false
        var failure: AudioEngineError?
    }

    private let state = Mutex(State())

    init() {}

    /// The engine's sample time from which the edit is heard; nil until then.
    ///
    /// Edits that are heard from the same cycle on have that cycle's time.
    public var sampleTime: Int64? { state.withLock { $0.sampleTime } }

    /// Waits until the edit is heard, and returns the sample time; nil if the engine goes before.
    public func heard() async -> Int64? {
        await withCheckedContinuation { continuation in
            let (known, isKnown) = state.withLock { state in
                let isKnown = state.sampleTime != nil || state.isOver
                if !isKnown { state.waiting.append(continuation) }
                return (state.sampleTime, isKnown)
            }
            if isKnown { continuation.resume(returning: known) }
        }
    }

    /// Waits until the edit is heard; false if that took longer than `milliseconds`.
    public func wait(milliseconds: Int) -> Bool {
        let deadline = MonotonicClock.now() &+ UInt64(max(0, min(milliseconds, 1 << 40))) &* 1_000_000
        while sampleTime == nil {
            guard MonotonicClock.now() < deadline else { return false }
            Futex.pause(microseconds: 200)
        }
        return true
    }

    /// An error after the edit was made, which delays the edit or leaves a unit out; nil without one.
    ///
    /// The engine's own thread finishes an edit that waits for a fade. It has no caller to throw to.
    public var failure: AudioEngineError? { state.withLock { $0.failure } }

    /// Stores an error for `failure`.
    func tell(_ error: AudioEngineError) { state.withLock { $0.failure = error } }

    /// Ends the wait at a sample time; with nil, because the edit will never be heard.
    func resolve(at sampleTime: Int64?) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            if state.sampleTime == nil { state.sampleTime = sampleTime }
            state.isOver = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: sampleTime) }
    }
}
