// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What `import AudioUnits` also gives: the layouts that are part of a bus's format.

@_exported import AudioFormats
