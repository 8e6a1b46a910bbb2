// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The confinement of a process with several units: it allows everything that one of them needs. Control threads.

import Confinement
import LinuxSystem

extension Component {
    /// The confinement of one process for units of all these plug-ins; nil for plug-ins that the user wants unconfined.
    static func confinement(ofAll components: [Component], reading files: Set<ExactPath> = []) -> Confinement? {
        var union: Confinement?
        // Several units of one plug-in need more memory than one, but no more files.
        for component in components {
            guard let confinement = component.confinement(reading: files) else { return nil }
            union = union?.union(confinement) ?? confinement
        }
        return union
    }
}

extension Confinement {
    /// Allows everything that either confinement allows, for the units of both in one process.
    ///
    /// Their resources add up.
    func union(_ other: Confinement) -> Confinement {
        var union = self
        union.paths += other.paths.filter { !paths.contains($0) }
        union.held += other.held.filter { !held.contains($0) }
        union.temporaryByteCount = max(temporaryByteCount, other.temporaryByteCount)
        union.hasOwnProcesses = hasOwnProcesses || other.hasOwnProcesses
        if other.systemCalls == .standard { union.systemCalls = .standard }
        union.limits = limits.union(other.limits)
        return union
    }
}

extension ResourceLimits {
    fileprivate func union(_ other: ResourceLimits) -> ResourceLimits {
        // The machine's memory limits the sum.
        let most = max(memoryByteCount, other.memoryByteCount, MachinePaths.memoryByteCount / 4 * 3)
        var union = ResourceLimits(
            memoryByteCount: min(memoryByteCount + other.memoryByteCount, most),
            fileByteCount: max(fileByteCount, other.fileByteCount),
            descriptorCount: min(descriptorCount + other.descriptorCount, Self.mostDescriptorCount),
            threadCount: threadCount + other.threadCount)
        union.lockedByteCount = max(lockedByteCount, other.lockedByteCount)
        union.realtimePriority = max(realtimePriority, other.realtimePriority)
        union.mostRealtimeMicroseconds = max(mostRealtimeMicroseconds, other.mostRealtimeMicroseconds)
        union.realtimeMicroseconds = max(realtimeMicroseconds, other.realtimeMicroseconds)
        return union
    }
}
