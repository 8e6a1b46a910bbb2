// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Re-exports the mathematics that comes with `import simd` on Apple's systems.

@_exported import Glibc
