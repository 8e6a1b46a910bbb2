// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What `import AVFAudio` brings along, as it does on Apple's systems.

@_exported import Dispatch
@_exported import Foundation
