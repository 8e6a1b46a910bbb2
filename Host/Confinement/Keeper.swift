// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The first process of an extension's PID namespace, or one of its group, as its parent sees it. Control thread.

import Glibc
import LinuxSystem

/// A child that ends when its lifeline is let go, by this process or by the end of this process. Dropping it ends it.
final class Keeper: Sendable {
    private let identifier: pid_t
    private let lifeline: Int32

    init(identifier: pid_t, lifeline: consuming Descriptor) {
        self.identifier = identifier
        self.lifeline = lifeline.release()
    }

    deinit { close(lifeline) }

    /// Has the kernel end everybody in the namespace, if it has one. Before `reap`.
    func end() { _ = kill(identifier, SIGKILL) }

    /// Puts it away. Once only; by then the process that it was made for has been reaped.
    func reap() { while waitpid(identifier, nil, 0) < 0, errno == EINTR {} }
}
