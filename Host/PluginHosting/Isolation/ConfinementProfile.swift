// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How far extensions get, in three steps. Any thread.

import Confinement
import LinuxSystem

/// What a unit may do beside rendering.
public enum ConfinementProfile: String, Codable, CaseIterable, Sendable {
    /// Native units: their own bundle, read-only, and nothing else.
    case strict
    /// Classic units, which a bridge makes: libraries, their own bundles and data, read-only; temporary files and worker
    /// threads of their own.
    case standard
    /// Whatever the user may, because the user has decided so for this very plug-in.
    case off

    /// The profile of a plug-in about which nothing was decided.
    init(for format: PluginFormat) { self = format == .native ? .strict : .standard }
}

extension Confinement {
    /// The confinement that a profile stands for, with these files beside; nil for none.
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
                    descriptorCount: 1024, threadCount: 512))
        }
        limits.realtimePriority = Placement.highestGrantedRank
    }

    /// That of a classic unit which an executable makes, for a trial.
    public static func standard(executable: String) -> Confinement {
        Confinement(.standard, paths: Component.paths(ofExecutable: executable))!
    }
}
