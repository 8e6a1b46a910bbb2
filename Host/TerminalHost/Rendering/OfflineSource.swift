// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The source of a file to render, of any kind. Main thread.

/// A source with its number of frames, which the tail follows.
protocol OfflineSource {
    /// The number of frames that is known now.
    var frameCount: Int { get }
    /// True if any input so far was not silent; always true for sources that are not files.
    var isAudible: Bool { get }
    /// The samples so far that were NaN or infinite in the file, and were replaced by 0.
    var invalidSampleCount: Int { get }
    /// Throws the first error so far of the threads that read and render.
    func throwFailure() throws
    /// Waits until those threads have reported their errors, and throws the first one.
    func settle() throws
}
