// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the author of a plug-in writes where a kernel alone is too little. Control thread.

/// The one unit of a library, where a kernel alone is too little.
///
/// Such a unit has texts, for example the path of a file, or holds something that its kernels share. Its kernels are made
/// anew by a reset, as those of a bridge are. A library exports it like this:
///
///     @c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { MyUnit.exported }
///
/// `[control]` One thread at a time uses it. The kernel that it made last may render meanwhile.
public protocol NativeUnit: BridgedUnit {
    /// Makes the unit; quick, for it is also made to be described.
    init()
}
