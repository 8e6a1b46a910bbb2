// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Looks whether threads of this user run when they are due. Main thread.

import Console
import Glibc
import LinuxSystem
import PluginHosting
import RTKit
import Rendering

extension Examination {
    static func realtime(_ rights: RealtimeRights) -> [DoctorFinding] {
        let advice =
            "Become a member of a group that /etc/security/limits.d grants \"rtprio 95\" and \"memlock unlimited\", and log in anew."
        let rank: DoctorFinding =
            switch rights.highestPriority {
            case 0: askedForRank(advice: advice)
            case ...Placement.recommendedHostRank:
                DoctorFinding(
                    "real-time rights", .partial, "Threads of yours get up to rank \(rights.highestPriority).", advice: advice)
            default: DoctorFinding("real-time rights", .good, "Threads of yours get up to rank \(rights.highestPriority).")
            }
        guard let bytes = rights.lockableByteCount else {
            return [rank, DoctorFinding("locked memory", .good, "You may lock as much memory as there is.")]
        }
        let size = "\(bytes >> 20) MiB"
        let memory =
            bytes >= 64 << 20
            ? DoctorFinding("locked memory", .good, "You may lock \(size).")
            : DoctorFinding("locked memory", .partial, "You may lock \(size); what is swapped out comes back late.", advice: advice)
        return [rank, memory]
    }

    /// What there is for who may take no rank.
    private static func askedForRank(advice: String) -> DoctorFinding {
        let name = "real-time rights"
        do throws(RealtimeKit.Refusal) {
            let rank = try RealtimeKit.offer()
            return DoctorFinding(
                name, .partial, "rtkit gives threads of yours ranks up to \(rank.realtimePriority), though not to many at once.",
                advice: advice)
        } catch {
            return DoctorFinding(
                name, .missing,
                "No thread of yours may be a real-time one, nor does rtkit help (\(error.reason)): audio is less steady under load.",
                advice: advice)
        }
    }

    /// Whether the highest rank there is gets a processor when it is due.
    static func steadiness() -> DoctorFinding {
        let name = "steadiness"
        let seconds = 2
        let watches = Scheduling.processors(ofThread: 0).sorted().compactMap { try? StallWatch(processor: $0) }
        usleep(useconds_t(seconds * 1_000_000))
        watches.forEach { $0.stop() }
        let stalls = watches.compactMap(\.summary)
        guard !stalls.isEmpty else {
            return DoctorFinding(
                name, .partial, "Only a real-time thread could tell whether the machine stands still.",
                advice: "Get real-time rights first; see above.")
        }
        let count = stalls.reduce(0) { $0 + $1.count }
        let longest = Decimal.text(stalls.map(\.longestMilliseconds).max() ?? 0, 1)
        let sentence = "In \(seconds) s no thread could run \(count) times, for \(longest) ms at worst."
        guard stalls.contains(where: { $0.longestMilliseconds > 0.5 }) else { return DoctorFinding(name, .good, sentence) }
        return DoctorFinding(
            name, .partial, sentence + " A cycle that is shorter than that is late then, whatever it plays.",
            advice: "Boot with preempt=full, or a real-time kernel; give a virtual machine processors of its own.")
    }

    /// What it takes to hand a turn from thread to thread, which is what an effect in a process of its own costs.
    static func handOffs() -> DoctorFinding {
        let name = "hand-offs"
        guard let times = HandOffFile(path: Installation.current.handOffPath).remeasured() else {
            return DoctorFinding(name, .good, "There is one processor to run on: effects take turns there.")
        }
        func text(_ microseconds: Double) -> String { "\(Decimal.text(microseconds, microseconds < 10 ? 1 : 0)) µs" }
        let place =
            switch times.placement {
            case .together, .branches: "the processor of the audio thread"
            case .spread: "other processors than the audio thread"
            }
        return DoctorFinding(
            name, .good,
            "There and back on one processor \(text(times.together)), between two \(text(times.apart)), "
                + "and \(text(times.spinning)) where nobody sleeps: effects render on \(place).")
    }
}
