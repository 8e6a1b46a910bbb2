// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// State and presets of a unit by the names of Apple's systems. Any thread but the render thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph
import Foundation
import PluginHosting

/// The key of the plug-in's type in a state.
public let kAUPresetTypeKey = "type"
/// The key of the plug-in's subtype in a state.
public let kAUPresetSubtypeKey = "subtype"
/// The key of the plug-in's manufacturer in a state.
public let kAUPresetManufacturerKey = "manufacturer"
/// The key of the plug-in's version in a state.
public let kAUPresetVersionKey = "version"
/// The key of the name in a state.
public let kAUPresetNameKey = "name"
/// The key of a plug-in's private data in a state.
public let kAUPresetDataKey = "data"

/// The keys that are Bulkhead's own.
private enum OwnKey {
    static let classic = "bulkhead-identifier"
    static let parameters = "bulkhead-parameters"
    static let texts = "bulkhead-texts"
}

/// A preset: 0 or more for a factory preset, below 0 for a user preset.
public final class AUAudioUnitPreset: NSObject {
    /// The number.
    public var number: Int
    /// The name.
    public var name: String

    /// Makes a preset without a name.
    public override init() { (number, name) = (0, "") }

    init(number: Int, name: String) { (self.number, self.name) = (number, name) }
}

extension AUAudioUnit {
    // MARK: Presets

    /// The factory presets; nil without a plug-in.
    public var factoryPresets: [AUAudioUnitPreset]? {
        plugin?.factoryPresets.enumerated().map { AUAudioUnitPreset(number: $0.offset, name: $0.element.name) }
    }

    /// The presets that the user has saved.
    public var userPresets: [AUAudioUnitPreset] {
        plugin?.userPresetNames.enumerated().map { AUAudioUnitPreset(number: -1 - $0.offset, name: $0.element) } ?? []
    }

    /// True if the user can save presets.
    public var supportsUserPresets: Bool { plugin != nil }

    /// Saves the present state as a user preset, by its name.
    public func saveUserPreset(_ userPreset: AUAudioUnitPreset) throws {
        guard let plugin else { throw AUAudioUnitError.noPlugin }
        try plugin.saveUserPreset(userPreset.name)
    }

    /// Removes a user preset, by its name.
    public func deleteUserPreset(_ userPreset: AUAudioUnitPreset) throws {
        guard let plugin else { throw AUAudioUnitError.noPlugin }
        try plugin.deleteUserPreset(userPreset.name)
    }

    /// The preset that was selected last; nil for none.
    ///
    /// Factory presets are selected by number, user presets by name. A preset that does not exist changes nothing, and standard
    /// error reports it. nil clears the selection, but not the sound.
    public var currentPreset: AUAudioUnitPreset? {
        get { state.withLock { $0.preset }.map { AUAudioUnitPreset(number: $0.number, name: $0.name) } }
        set {
            guard let newValue else { return state.withLock { $0.preset = nil } }
            guard let plugin else { return }
            let (presets, number) = (plugin.factoryPresets, newValue.number)
            let name = number < 0 ? newValue.name : presets.indices.contains(number) ? presets[number].name : newValue.name
            do throws(HostingError) {
                try plugin.selectPreset(name)
                state.withLock { $0.preset = (number, name) }
            } catch {
                AVFAudioLog.write("\(error)")
            }
        }
    }

    // MARK: State

    /// The full state, from which a new unit sounds like this one; nil without a plug-in.
    ///
    /// A state that the unit refuses changes nothing, and standard error reports it; nil does the same. States of Apple's own
    /// units are refused.
    public var fullState: [String: Any]? {
        get {
            do throws(HostingError) {
                return try plugin?.saveState().dictionary
            } catch {
                AVFAudioLog.write("\(error)")
                return nil
            }
        }
        set {
            do {
                guard let plugin else { throw AUAudioUnitError.noPlugin }
                guard let values = newValue, let state = FullState(dictionary: values) else {
                    throw AUAudioUnitError.stateMalformed
                }
                try plugin.restoreState(state)
            } catch {
                AVFAudioLog.write("\(error)")
            }
        }
    }

    /// The same as `fullState`.
    public var fullStateForDocument: [String: Any]? {
        get { fullState }
        set { fullState = newValue }
    }
}

extension FullState {
    /// The state as a dictionary with values for a property list.
    fileprivate var dictionary: [String: Any] {
        var values: [String: Any] = [
            kAUPresetTypeKey: Int(component.type.rawValue), kAUPresetSubtypeKey: Int(component.subtype.rawValue),
            kAUPresetManufacturerKey: Int(component.manufacturer.rawValue), kAUPresetVersionKey: Int(version.rawValue),
            kAUPresetDataKey: Data(custom), OwnKey.parameters: self.values, OwnKey.texts: texts,
        ]
        values[OwnKey.classic] = classicIdentifier
        return values
    }

    /// The state in a dictionary; nil if a part is missing.
    fileprivate init?(dictionary: [String: Any]) {
        let settings = FormatSettings(values: dictionary)
        func code(_ key: String) -> UInt32? { settings.integer(key).flatMap { UInt32(exactly: $0) } }
        guard let type = code(kAUPresetTypeKey), let subtype = code(kAUPresetSubtypeKey),
            let manufacturer = code(kAUPresetManufacturerKey), let version = code(kAUPresetVersionKey),
            let parameters = dictionary[OwnKey.parameters] as? [String: Double]
        else { return nil }
        self.init(
            component: ComponentDescription(
                type: AudioUnits.FourCharCode(rawValue: type), subtype: AudioUnits.FourCharCode(rawValue: subtype),
                manufacturer: AudioUnits.FourCharCode(rawValue: manufacturer)),
            classicIdentifier: dictionary[OwnKey.classic] as? String, version: UnitVersion(rawValue: version), values: parameters,
            texts: dictionary[OwnKey.texts] as? [String: String] ?? [:],
            custom: [UInt8](dictionary[kAUPresetDataKey] as? Data ?? Data()))
    }
}
