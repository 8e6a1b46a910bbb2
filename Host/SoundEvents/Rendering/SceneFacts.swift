// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Facts of a scene that its streams use, at an address of their own. Render thread; other threads read the atomics.

import Synchronization

/// The facts of a scene.
struct SceneFacts: ~Copyable {
    /// True while blocks have no deadline.
    var isOffline = true
    /// The silent frames that streamed assets have played because their files had not been read in time.
    let missingCount = Atomic<Int>(0)
}
