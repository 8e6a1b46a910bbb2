// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Re-exports the layouts, which are part of a bus's format.

@_exported import AudioFormats
