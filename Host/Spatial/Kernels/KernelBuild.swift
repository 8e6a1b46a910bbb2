// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Selects the kernels that suit this processor. Any thread.

import CSpatialKernels

/// The kernels, built for some processors; every build puts out the same bits.
public struct KernelBuild: Sendable {
    // SAFETY: the table is a constant of the program.
    nonisolated(unsafe) let functions: UnsafePointer<CSpatialKernels_Functions>

    /// The processors that the build is for, such as `x86-64-v3`.
    public var name: String { String(cString: functions.pointee.name) }

    /// All builds that this processor can run; the fastest is the last.
    public static let all: [KernelBuild] = [CSpatialKernels_everywhere(), CSpatialKernels_wide()].compactMap { functions in
        functions.map { KernelBuild(functions: $0) }
    }

    /// The fastest build for this processor.
    public static var best: KernelBuild {
        // Cannot trap: the build for every processor is always there.
        all[all.count - 1]
    }
}
