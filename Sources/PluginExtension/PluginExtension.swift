// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes a dynamic library a plug-in: a dependency on this module brings the linker settings along. Control thread.

/// Re-exports the SDK, for a file that holds only the exported symbol.
///
/// `Package.swift` of Bulkhead gives this target the linker settings of a plug-in: a Swift runtime inside the library, and one
/// exported symbol. The package manager applies them to each product that depends on it. Tests must not depend on it.
@_exported import PluginSDK
