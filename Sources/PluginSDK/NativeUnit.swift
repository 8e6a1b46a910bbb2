// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The interface of a plug-in that needs more than a kernel. Control thread.

/// The one unit of a library, if it needs more than a kernel.
///
/// Such a unit has texts, for example the path of a file, or holds something that its kernels share. A reset makes a new
/// kernel, as for a bridged unit. A library exports the unit like this:
///
///     @c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { MyUnit.exported }
///
/// `[control]` One thread at a time uses it. The kernel that it made last may render meanwhile.
public protocol NativeUnit: BridgedUnit {
    /// Makes the unit; must be quick, since a unit is also made only to be described.
    init()
}
