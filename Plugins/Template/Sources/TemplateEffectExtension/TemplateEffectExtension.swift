// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The extension: the only symbol that the plug-in's library exports. There is nothing to change here.

import PluginExtension
import TemplateEffect

/// The entry point for the host, and for the launcher of the extension's process.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { TemplateEffect.exported }
