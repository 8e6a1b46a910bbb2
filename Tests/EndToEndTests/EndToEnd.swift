// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The suite that all tests of the command belong to: one after the other.

import Testing

/// Tests of the built command, as a child process. They play in real time, so that none runs beside another.
@Suite(.serialized, .timeLimit(.minutes(2))) struct EndToEnd {}
