// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A component as text, which spares a second process of the host the search for it. Any thread.

import AudioUnits

extension Component: Codable {
    private enum CodingKeys: String, CodingKey {
        case description, name, manufacturerName, version, tags, format, id, locator, extensionPaths
        case bundlePath, executablePath, libraryPath, consentsToInProcess, locationPath, home, isTrusted, rights, lapsedRights,
            isBlocked,
            profile,
            granted
        case quarantineReason
    }

    /// Writes the component with all its fields.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(description.description, forKey: .description)
        try container.encode(name, forKey: .name)
        try container.encode(manufacturerName, forKey: .manufacturerName)
        try container.encode(version.rawValue, forKey: .version)
        try container.encode(tags, forKey: .tags)
        try container.encode(format.rawValue, forKey: .format)
        try container.encode(id, forKey: .id)
        try container.encode(locator, forKey: .locator)
        try container.encode(extensionPaths, forKey: .extensionPaths)
        try container.encode(bundlePath, forKey: .bundlePath)
        try container.encode(executablePath, forKey: .executablePath)
        try container.encodeIfPresent(libraryPath, forKey: .libraryPath)
        try container.encode(consentsToInProcess, forKey: .consentsToInProcess)
        try container.encodeIfPresent(locationPath, forKey: .locationPath)
        try container.encode(home, forKey: .home)
        try container.encode(isTrusted, forKey: .isTrusted)
        try container.encodeIfPresent(rights, forKey: .rights)
        try container.encodeIfPresent(lapsedRights, forKey: .lapsedRights)
        try container.encode(isBlocked, forKey: .isBlocked)
        try container.encodeIfPresent(quarantineReason, forKey: .quarantineReason)
        try container.encode(profile, forKey: .profile)
        try container.encode(granted, forKey: .granted)
    }

    /// Reads a component.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String { try container.decode(String.self, forKey: key) }
        guard let description = ComponentDescription(try text(.description)), let format = PluginFormat(rawValue: try text(.format))
        else {
            throw DecodingError.dataCorruptedError(forKey: .description, in: container, debugDescription: "no component")
        }
        self.description = description
        self.format = format
        name = try text(.name)
        manufacturerName = try text(.manufacturerName)
        version = UnitVersion(rawValue: try container.decode(UInt32.self, forKey: .version))
        tags = try container.decode([String].self, forKey: .tags)
        id = try text(.id)
        locator = try container.decode([String].self, forKey: .locator)
        extensionPaths = try container.decode([String].self, forKey: .extensionPaths)
        bundlePath = try text(.bundlePath)
        executablePath = try text(.executablePath)
        libraryPath = try container.decodeIfPresent(String.self, forKey: .libraryPath)
        consentsToInProcess = try container.decode(Bool.self, forKey: .consentsToInProcess)
        locationPath = try container.decodeIfPresent(String.self, forKey: .locationPath)
        home = try text(.home)
        isTrusted = try container.decode(Bool.self, forKey: .isTrusted)
        rights = try container.decodeIfPresent(PluginRights.self, forKey: .rights)
        lapsedRights = try container.decodeIfPresent(LapsedRights.self, forKey: .lapsedRights)
        isBlocked = try container.decode(Bool.self, forKey: .isBlocked)
        quarantineReason = try container.decodeIfPresent(String.self, forKey: .quarantineReason)
        profile = try container.decode(ConfinementProfile.self, forKey: .profile)
        granted = try container.decode([String].self, forKey: .granted)
    }
}
