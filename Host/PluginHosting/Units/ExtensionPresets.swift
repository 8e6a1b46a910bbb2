// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Presets for a plug-in from other bundles: names and values, read in processes of their own. Control threads.

import AudioUnits
import ControlMessages
import LinuxSystem
import Printing

/// The presets for a plug-in in the bundles that extend it.
///
/// Any author can write such a bundle, and it may contain code that runs as soon as the bundle is read. So each is read in a
/// confined process that ends afterwards, without the rights that the user gave to the plug-in. The plug-in's process gets only
/// values of its own parameters.
struct ExtensionPresets {
    private(set) var presets: [FactoryPreset] = []
    /// Bundles that could not be read, each with the reason, as sentences.
    private(set) var defects: [String] = []
    /// The bundles of presets with only a state or files, by the presets' names in lower case.
    private var leftOut: [String: String] = [:]

    /// A limit far above the number that a user reads through.
    private static let maximumCount = 4096

    /// Reads the bundles that extend a plug-in with these parameters; `own` are the plug-in's own presets.
    init(for component: Component, _ parameters: ParameterTree, own: [FactoryPreset]) {
        let answers = Thread.map(component.extensionPaths, name: "presets") { path in
            Result { () throws(HostingError) in try Self.read(path, for: component) }
        }
        var names = Set(own.map { $0.name.lowercased() })
        for (path, answer) in zip(component.extensionPaths, answers) {
            switch answer {
            case .success(let found):
                // A preset without any known parameter would set everything to its default.
                let read = found.map { Self.usable($0, parameters) }.filter(\.name.isPrintable)
                for name in read.prefix(Self.maximumCount).filter(\.values.isEmpty).map({ $0.name.lowercased() }) {
                    if !names.contains(name) { leftOut[name] = path }
                }
                let usable = read.lazy.filter { !$0.values.isEmpty }
                for preset in usable where presets.count < Self.maximumCount && names.insert(preset.name.lowercased()).inserted {
                    presets.append(preset)
                }
            case .failure(let error):
                defects.append("The presets in \"\(PrintableText.cleaned(path))\" are left out. \(error)")
            }
        }
    }

    /// The reason why a preset of that name is left out; nil if none is.
    func reasonForLeavingOut(_ name: String) -> String? {
        leftOut[name.lowercased()].map { path in
            "of the presets in \"\(PrintableText.cleaned(path))\" only the values of parameters are taken, and this one has none; "
                + "set its files yourself"
        }
    }

    /// The presets of the plug-in together with one bundle.
    private static func read(_ path: String, for component: Component) throws(HostingError) -> [FactoryPreset] {
        var confinement = Component.confinement(ofBridge: component.executablePath, scanning: path, format: component.format)
        confinement?.paths += [component.locationPath].compactMap { $0 }.map { .init($0, .read) }
        try HostConfiguration.checkConfinement()
        let connection: ExtensionConnection
        do throws(PluginFault) {
            connection = try ExtensionConnection(executable: component.executablePath, confinement: confinement, isQuiet: true)
        } catch {
            throw .fault(unit: component.name, act: "read presets of", error)
        }
        defer { _ = connection.child.kill() }
        var extended = component
        extended.locator.append(path)
        return try HostedUnit.greet(connection, extended).factoryPresets
    }

    /// The preset, reduced to values that the parameters accept.
    private static func usable(_ preset: FactoryPreset, _ parameters: ParameterTree) -> FactoryPreset {
        let values = preset.values.filter { keyPath, value in
            guard let parameter = parameters[keyPath: keyPath] else { return false }
            return parameter.accepted().contains(value) && parameter.flags.isDisjoint(with: [.readOnly, .meter])
        }
        return FactoryPreset(preset.name, values)
    }
}
