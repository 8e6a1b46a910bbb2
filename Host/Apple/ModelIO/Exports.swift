// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Re-exports the modules that come with `import ModelIO` on Apple's systems.

@_exported import Foundation
@_exported import simd
