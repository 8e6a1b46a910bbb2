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
/// The key of what a plug-in keeps in a form of its own.
public let kAUPresetDataKey = "data"

/// The keys that are Bulkhead's own.
private enum OwnKey {
    static let classic = "bulkhead-identifier"
    static let parameters = "bulkhead-parameters"
    static let texts = "bulkhead-texts"
}

/// A preset: 0 or more for one that comes with the plug-in, below 0 for one of the user's.
public final class AUAudioUnitPreset: NSObject {
    /// The number.
    public var number: Int
    /// The name.
    public var name: String

    /// A preset without a name.
    public override init() { (number, name) = (0, "") }

    init(number: Int, name: String) { (self.number, self.name) = (number, name) }
}

extension AUAudioUnit {
    // MARK: Presets

    /// The presets that come with the plug-in; nil without a plug-in.
    public var factoryPresets: [AUAudioUnitPreset]? {
        plugin?.factoryPresets.enumerated().map { AUAudioUnitPreset(number: $0.offset, name: $0.element.name) }
    }

    /// The presets that the user has saved.
    public var userPresets: [AUAudioUnitPreset] {
        plugin?.userPresetNames.enumerated().map { AUAudioUnitPreset(number: -1 - $0.offset, name: $0.element) } ?? []
    }

    /// Whether the user can save presets.
    public var supportsUserPresets: Bool { plugin != nil }

    /// Saves the present state as a preset of the user, by its name.
    public func saveUserPreset(_ userPreset: AUAudioUnitPreset) throws {
        guard let plugin else { throw AUAudioUnitError.noPlugin }
        try plugin.saveUserPreset(userPreset.name)
    }

    /// Removes a preset of the user, by its name.
    public func deleteUserPreset(_ userPreset: AUAudioUnitPreset) throws {
        guard let plugin else { throw AUAudioUnitError.noPlugin }
        try plugin.deleteUserPreset(userPreset.name)
    }

    /// The preset that was selected last; nil for none.
    ///
    /// Factory presets are selected by their number, those of the user by their name. One that does not exist changes nothing,
    /// and standard error tells so. nil forgets which one was selected; the sound stays.
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

    /// Everything that makes a new unit sound as this one does; nil without a plug-in.
    ///
    /// A state that the unit cannot take changes nothing, and standard error tells so; so does setting nil. What Apple's own
    /// units have saved cannot be taken.
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
    /// The state as a dictionary of values that a property list can hold.
    fileprivate var dictionary: [String: Any] {
        var values: [String: Any] = [
            kAUPresetTypeKey: Int(component.type.rawValue), kAUPresetSubtypeKey: Int(component.subtype.rawValue),
            kAUPresetManufacturerKey: Int(component.manufacturer.rawValue), kAUPresetVersionKey: Int(version.rawValue),
            kAUPresetDataKey: Data(custom), OwnKey.parameters: self.values, OwnKey.texts: texts,
        ]
        values[OwnKey.classic] = classicIdentifier
        return values
    }

    /// The state that a dictionary holds; nil where a part is missing.
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
