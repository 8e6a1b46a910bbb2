// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sound that is rendered into a file, whatever it comes from. Main thread.

/// What is rendered into a file: so many frames, and then the tail.
protocol OfflineSource {
    /// The frames that are known of now.
    var frameCount: Int { get }
    /// Whether anything but silence has come in so far; true where the sound does not come from a file.
    var isAudible: Bool { get }
    /// The samples so far that were NaN or infinite in the file, and were replaced by 0.
    var invalidSampleCount: Int { get }
    /// Throws what went wrong so far on the threads that read and render.
    func throwFailure() throws
    /// Waits until those threads have said what went wrong, and throws it.
    func settle() throws
}
