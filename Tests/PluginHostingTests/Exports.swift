// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The modules that every test of this target uses.

@_exported import HostingTestSupport
@_exported import TestSupport
