// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Marks the stretch of a thread that RealtimeSanitizer watches. Render threads.

import CRealtimeShims

/// Code between `enter` and `exit` may neither allocate, lock nor block; the sanitizer's runtime, where a
/// process carries it, ends the process with a stack trace when it does.
public enum RealtimeRegion {
    @inlinable @_noLocks public static func enter() { CRealtimeShims_enterRealtime() }
    @inlinable @_noLocks public static func exit() { CRealtimeShims_exitRealtime() }
}
