// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Checks the timing of this user's threads. Main thread.

import Console
import Glibc
import LinuxSystem
import PluginHosting
import RTKit
import Rendering

extension Examination {
    static func realtime(_ rights: RealtimeRights) -> [DoctorFinding] {
        let advice =
            "Join a group with \"rtprio 95\" and \"memlock unlimited\" in /etc/security/limits.d, and log in again."
        let rank: DoctorFinding =
            switch rights.highestPriority {
            case 0: askedForRank(advice: advice)
            case ...Placement.recommendedHostRank:
                DoctorFinding(
                    "real-time rights", .partial, "Your threads get real-time ranks up to \(rights.highestPriority).",
                    advice: advice)
            default: DoctorFinding("real-time rights", .good, "Your threads get real-time ranks up to \(rights.highestPriority).")
            }
        guard let bytes = rights.lockableByteCount else {
            return [rank, DoctorFinding("locked memory", .good, "You may lock as much memory as there is.")]
        }
        let size = "\(bytes >> 20) MiB"
        let memory =
            bytes >= 64 << 20
            ? DoctorFinding("locked memory", .good, "You may lock \(size).")
            : DoctorFinding(
                "locked memory", .partial, "You may lock \(size); memory that was swapped out is slow to read.", advice: advice)
        return [rank, memory]
    }

    /// The result for a user without real-time ranks of their own.
    private static func askedForRank(advice: String) -> DoctorFinding {
        let name = "real-time rights"
        do throws(RealtimeKit.Refusal) {
            let rank = try RealtimeKit.offer()
            return DoctorFinding(
                name, .partial, "rtkit gives your threads ranks up to \(rank.realtimePriority), but only to a few at once.",
                advice: advice)
        } catch {
            return DoctorFinding(
                name, .missing,
                "Your threads get no real-time rank, and rtkit gives none (\(error.reason)): audio is less steady under load.",
                advice: advice)
        }
    }

    /// Measures whether a thread of the highest rank gets a processor in time.
    static func steadiness() -> DoctorFinding {
        let name = "steadiness"
        let seconds = 2
        let watches = Scheduling.processors(ofThread: 0).sorted().compactMap { try? StallWatch(processor: $0) }
        usleep(useconds_t(seconds * 1_000_000))
        watches.forEach { $0.stop() }
        let stalls = watches.compactMap(\.summary)
        guard !stalls.isEmpty else {
            return DoctorFinding(
                name, .partial, "Only a real-time thread can measure whether the machine stalls.",
                advice: "Get real-time rights first; see above.")
        }
        let count = stalls.reduce(0) { $0 + $1.count }
        let longest = Decimal.text(stalls.map(\.longestMilliseconds).max() ?? 0, 1)
        let sentence = "In \(seconds) s the machine stalled \(count) times, for \(longest) ms at worst."
        guard stalls.contains(where: { $0.longestMilliseconds > 0.5 }) else { return DoctorFinding(name, .good, sentence) }
        return DoctorFinding(
            name, .partial, sentence + " A shorter cycle is late then, whatever it plays.",
            advice: "Boot with preempt=full or a real-time kernel; give a virtual machine its own processors.")
    }

    /// The time of a hand-off between threads, which is the cost of isolation.
    static func handOffs() -> DoctorFinding {
        let name = "hand-offs"
        guard let times = HandOffFile(path: Installation.current.handOffPath).remeasured() else {
            return DoctorFinding(name, .good, "There is one processor: effects take turns on it.")
        }
        func text(_ microseconds: Double) -> String { "\(Decimal.text(microseconds, microseconds < 10 ? 1 : 0)) µs" }
        let place =
            switch times.placement {
            case .together, .branches: "the processor of the audio thread"
            case .spread: "other processors than the audio thread"
            }
        return DoctorFinding(
            name, .good,
            "A hand-off and back takes, on one processor, \(text(times.together)), between two \(text(times.apart)), "
                + "and \(text(times.spinning)) when both spin: effects render on \(place).")
    }
}
