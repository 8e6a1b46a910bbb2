// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finding a plug-in and starting a unit of it. Any thread; the work blocks a thread of its own.

import AudioUnits

extension PluginUnit {
    /// Starts a unit of the plug-in that a name or an ID means.
    ///
    /// An ID is `type:subtype:manufacturer`, `ladspa:library:label` or `lv2:uri`. A name may be in any case, or the beginning of
    /// one, as long as it means one plug-in. Throws `unknownComponent` or `ambiguousComponent` where it does not; else as
    /// `instantiate(_:options:)` of a component.
    public static func instantiate(
        _ name: String, options: ComponentInstantiationOptions = []
    ) async throws(HostingError) -> PluginUnit {
        let installation = HostConfiguration.current.installation
        return try await BlockingWork.run("instantiate") { () throws(HostingError) in
            try start(try installation.registry(wanting: [name]).component(named: name), options)
        }
    }

    /// Starts a unit of the one plug-in that a description matches, perhaps with wildcards.
    ///
    /// Errors are those of `instantiate(_:options:)` of a name.
    public static func instantiate(
        with description: ComponentDescription, options: ComponentInstantiationOptions = []
    ) async throws(HostingError) -> PluginUnit {
        try await instantiate(description.description, options: options)
    }

    /// Starts a unit of a component.
    ///
    /// The calling task is suspended; no thread of the cooperative pool waits. Throws `fault` when the plug-in does not start or
    /// breaks the protocol, `blocked` when the user has blocked it, `noConsent` or `notTrusted` when it may not live in the
    /// host's process.
    public static func instantiate(
        _ component: Component, options: ComponentInstantiationOptions = []
    ) async throws(HostingError) -> PluginUnit {
        try await BlockingWork.run("instantiate") { () throws(HostingError) in try start(component, options) }
    }

    /// Starts a unit of the plug-in that a name or an ID means, on the calling thread, which waits some milliseconds.
    package static func start(named name: String) throws(HostingError) -> PluginUnit {
        try start(try HostConfiguration.current.installation.registry(wanting: [name]).component(named: name), [])
    }

    private static func start(
        _ component: Component, _ options: ComponentInstantiationOptions
    ) throws(HostingError) -> PluginUnit {
        PluginUnit(try HostedUnit(component, inProcess: options.contains(.loadInProcess)))
    }
}
