// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Re-exports the modules that come with `import AVFAudio` on Apple's systems.

@_exported import Dispatch
@_exported import Foundation
