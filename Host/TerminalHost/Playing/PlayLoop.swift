// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The loop of a command that plays: updates the display and finds the end. Main thread.

import AudioFormats
import Console
import Glibc
import LinuxSystem

/// Runs a session to its end.
struct PlayLoop {
    let session: RealtimeSession
    let display: StatusDisplay
    /// The seconds after which to stop; nil for the end of the source.
    var durationSeconds: Double?
    /// The seconds of the source, for the display; nil if it has no end.
    var sourceSeconds: Double?
    /// Called in every round with the seconds since the start; nil for nothing.
    ///
    /// With a closure the loop never rests.
    var eachRound: ((Double) throws -> Void)?
    /// Receives a message that the host plays, and then that it is alive.
    var serviceManager = ServiceManager()

    /// The longest tail after the end of the source, in seconds.
    private static let longestTail = 15.0

    /// Runs until the end or Ctrl-C.
    ///
    /// Waits for the driver or its device while either is gone.
    func run() throws {
        let started = MonotonicClock.now()
        var quietSince: Double?
        var endedAt: Double?
        // The keys belong to the screen while there is one.
        var keyboard = display.screen == nil ? Keyboard() : nil
        var rest = SessionRest()
        var manager = serviceManager
        manager.tell("READY=1")
        defer { manager.tell("STOPPING=1") }
        while true {
            // A wake-up from here on prevents a rest at the end of the round.
            session.wakeUp.quieten()
            if Interruption.isRequested || session.session.isStopped { break }
            if let screen = display.screen, screen.hasEnded, !screen.hasFailed { break }
            let seconds = Double(MonotonicClock.now() - started) / 1e9
            manager.beat()
            try session.followDriver()
            if let key = keyboard?.next() { press(key) }
            try eachRound?(seconds)
            display.update(session, position: Self.clock(seconds, of: totalSeconds))
            if keyboard == nil, display.screen == nil { keyboard = Keyboard() }
            if let durationSeconds, seconds >= durationSeconds { break }
            if session.isAtEnd {
                // The end of the source is heard only after the latency.
                endedAt = endedAt ?? seconds + session.latencySeconds
                if seconds > endedAt ?? 0 { session.endMetronome() }
                quietSince = display.isQuiet && seconds > endedAt ?? 0 ? quietSince ?? seconds : nil
                if let quietSince, seconds - quietSince > 0.3 { break }
                if let endedAt, seconds - endedAt > Self.longestTail { break }
            }
            if rest.isDue(cycle: session.player.statistics.cycles), session.isSettled, eachRound == nil {
                rest.sleep(
                    session, hasKeyboard: keyboard != nil,
                    seconds: [durationSeconds.map { $0 - seconds }, manager.longestRest, display.screen.map { _ in 1 }].compactMap {
                        $0
                    }.min())
            } else {
                usleep(50_000)
            }
        }
        display.update(session, position: Self.clock(Double(MonotonicClock.now() - started) / 1e9, of: totalSeconds))
    }

    private func press(_ key: Character) {
        if key == "u" { session.releaseQuarantined() }
        if let number = key.wholeNumberValue { session.toggleBypass(ofEffect: number) }
    }

    private var totalSeconds: Double? { [durationSeconds, sourceSeconds].compactMap { $0 }.min() }

    private static func clock(_ seconds: Double, of total: Double?) -> String {
        func text(_ seconds: Double) -> String {
            let whole = Int(nearestFrame: seconds.rounded(.down))
            return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
        }
        return total.map { "\(text(min(seconds, $0))) of \(text($0))" } ?? text(seconds)
    }
}
