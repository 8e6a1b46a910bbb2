// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What `import AVFoundation` brings along: the sound part of Apple's framework of that name, and what that brings along.

@_exported import AVFAudio
