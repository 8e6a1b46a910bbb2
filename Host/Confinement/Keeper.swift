// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The parent's view of a keeper, which is the first process of an extension's PID namespace, or a member of its group. Control
// thread.

import Glibc
import LinuxSystem

/// A child that ends when its lifeline closes.
///
/// The lifeline closes when this object is released or when this process ends.
final class Keeper: Sendable {
    private let identifier: pid_t
    private let lifeline: Int32

    init(identifier: pid_t, lifeline: consuming Descriptor) {
        self.identifier = identifier
        self.lifeline = lifeline.release()
    }

    deinit { close(lifeline) }

    /// Kills the keeper; with a PID namespace the kernel then ends every process in it.
    ///
    /// Call it before `reap`.
    func end() { _ = kill(identifier, SIGKILL) }

    /// Reaps the keeper.
    ///
    /// Call it once, after the keeper's process has been reaped.
    func reap() { while waitpid(identifier, nil, 0) < 0, errno == EINTR {} }
}
