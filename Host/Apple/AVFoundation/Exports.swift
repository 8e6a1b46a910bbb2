// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Re-exports the sound part of Apple's framework of that name.

@_exported import AVFAudio
