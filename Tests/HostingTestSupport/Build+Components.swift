// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The plug-ins of the build, and units of them by name. Test thread.

import PluginHosting
import TestSupport

extension Build {
    private static let registry = ComponentRegistry(searchPath: [folder, testPluginFolder])

    /// Every plug-in of the build, except those for tests.
    package static var effects: [Component] { ComponentRegistry(searchPath: [folder]).components.map(\.trusted) }

    /// The plug-in of that name, including test plug-ins.
    package static func component(_ name: String) throws -> Component { try registry.component(named: name).trusted }

    /// Starts a unit of the plug-in of that name.
    package static func unit(_ name: String, inProcess: Bool = false) throws -> HostedUnit {
        try HostedUnit(try component(name), inProcess: inProcess)
    }
}

extension Component {
    /// The same, as if the user had trusted it.
    package var trusted: Component {
        var component = self
        component.isTrusted = true
        return component
    }
}
