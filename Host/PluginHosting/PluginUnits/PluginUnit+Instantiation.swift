// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds a plug-in and starts a unit of it. Any thread; the work blocks a thread of its own.

import AudioUnits

extension PluginUnit {
    /// Starts a unit of the plug-in with a name or an ID.
    ///
    /// An ID is `type:subtype:manufacturer`, `ladspa:library:label` or `lv2:uri`. A name may be in upper or lower case, or the
    /// beginning of a name if only one plug-in fits. Throws `unknownComponent` or `ambiguousComponent`, and the errors of
    /// `instantiate(_:options:)` of a component.
    public static func instantiate(
        _ name: String, options: ComponentInstantiationOptions = []
    ) async throws(HostingError) -> PluginUnit {
        let installation = HostConfiguration.current.installation
        return try await BlockingWork.run("instantiate") { () throws(HostingError) in
            try start(try installation.registry(wanting: [name]).component(named: name), options)
        }
    }

    /// Starts a unit of the only plug-in that matches a description, which may have wildcards.
    ///
    /// Throws as `instantiate(_:options:)` of a name.
    public static func instantiate(
        with description: ComponentDescription, options: ComponentInstantiationOptions = []
    ) async throws(HostingError) -> PluginUnit {
        try await instantiate(description.description, options: options)
    }

    /// Starts a unit of a component.
    ///
    /// The calling task is suspended; no thread of the cooperative pool waits. Throws `fault` if the plug-in does not start or
    /// breaks the protocol, and `blocked` if the user has blocked it. Throws `noConsent` or `notTrusted` if it may not live in
    /// the host's process.
    public static func instantiate(
        _ component: Component, options: ComponentInstantiationOptions = []
    ) async throws(HostingError) -> PluginUnit {
        try await BlockingWork.run("instantiate") { () throws(HostingError) in try start(component, options) }
    }

    /// Starts a unit of the plug-in with a name or an ID, on the calling thread, which waits some milliseconds.
    package static func start(named name: String) throws(HostingError) -> PluginUnit {
        try start(try HostConfiguration.current.installation.registry(wanting: [name]).component(named: name), [])
    }

    private static func start(
        _ component: Component, _ options: ComponentInstantiationOptions
    ) throws(HostingError) -> PluginUnit {
        PluginUnit(try HostedUnit(component, inProcess: options.contains(.loadInProcess)))
    }
}
