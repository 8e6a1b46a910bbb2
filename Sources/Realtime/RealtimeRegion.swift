// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Marks the part of a thread that RealtimeSanitizer watches. Render threads.

import CRealtimeShims

/// Marks code that may not allocate, lock or block.
///
/// If the process carries the sanitizer's runtime, a violation between `enter` and `exit` ends it with a stack trace.
public enum RealtimeRegion {
    /// `[render]` Begins the watched part.
    @inlinable @_noLocks public static func enter() { CRealtimeShims_enterRealtime() }
    /// `[render]` Ends the watched part.
    @inlinable @_noLocks public static func exit() { CRealtimeShims_exitRealtime() }
}
