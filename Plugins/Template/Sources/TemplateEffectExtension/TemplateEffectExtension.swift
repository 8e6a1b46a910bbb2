// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The extension: the one symbol that the plug-in's library exports. There is nothing to change here.

import PluginExtension
import TemplateEffect

/// What the host, and the launcher of the extension's process, ask for.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { TemplateEffect.exported }
