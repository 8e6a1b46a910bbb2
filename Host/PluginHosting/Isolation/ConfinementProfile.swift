// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Three degrees of confinement for extensions. Any thread.

import Confinement
import LinuxSystem

/// `[any]` The degree of a unit's confinement.
public enum ConfinementProfile: String, Codable, CaseIterable, Sendable {
    /// Suits native units: they read their own bundle and the files that loading needs, and nothing else.
    case strict
    /// Suits classic units, which a bridge makes.
    ///
    /// They read libraries, their own bundles and data. They have temporary files and worker threads of their own.
    case standard
    /// Allows everything that the user may do.
    ///
    /// Only the user can choose it, for one plug-in at a time.
    case off

    /// The profile of a plug-in for which the user has chosen none.
    init(for format: PluginFormat) { self = format == .native ? .strict : .standard }
}

extension Confinement {
    /// The confinement of a profile, with these files added; nil for `off`.
    init?(_ profile: ConfinementProfile, paths: [NamedPath]) {
        switch profile {
        case .off: return nil
        case .strict:
            self.init(
                paths: MachinePaths.loading + paths, temporaryByteCount: 0, hasOwnProcesses: false, systemCalls: .few,
                limits: ResourceLimits(memoryByteCount: 2 << 30, fileByteCount: 128 << 20, descriptorCount: 256, threadCount: 64))
        case .standard:
            self.init(
                paths: MachinePaths.loading + MachinePaths.data + paths, temporaryByteCount: 256 << 20, hasOwnProcesses: true,
                systemCalls: .standard,
                limits: ResourceLimits(
                    memoryByteCount: max(2 << 30, MachinePaths.memoryByteCount / 4 * 3), fileByteCount: 1 << 30,
                    descriptorCount: ResourceLimits.mostDescriptorCount, threadCount: 512))
        }
        limits.realtimePriority = Placement.highestGrantedRank
    }

    /// `[control]` The confinement of a classic unit from an executable, for a trial.
    package static func standard(executable: String) -> Confinement {
        // Cannot trap: only `inProcess` has none.
        Confinement(.standard, paths: Component.paths(ofExecutable: executable))!
    }
}
