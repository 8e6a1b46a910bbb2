// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The suite that all tests of the command belong to: one after the other.

import TestSupport
import Testing

/// Tests of the built command, as a child process, that measure time: none runs beside another.
@Suite(.timed("runs the command, which plays in real time"), .serialized, .timeLimit(.minutes(2))) struct EndToEnd {}

/// Tests of the built command whose outcome does not depend on how fast anything goes: other tests run beside them.
@Suite(.serialized, .timeLimit(.minutes(15))) struct Commands {}
