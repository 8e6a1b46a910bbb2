// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The plug-ins that are installed. Any thread but the render thread.

import AudioGraph
import Foundation
import PluginHosting

/// A plug-in that is installed.
public final class AVAudioUnitComponent: NSObject, Sendable {
    let component: Component

    init(_ component: Component) { self.component = component }

    /// The name.
    public var name: String { component.name }
    /// Who made it.
    public var manufacturerName: String { component.manufacturerName }
    /// The kind in words.
    public var typeName: String { ComponentType(code: component.description.type)?.name ?? "\(component.description.type)" }
    /// The version as a number.
    public var version: Int { Int(component.version.rawValue) }
    /// The version in words.
    public var versionString: String { component.version.description }
    /// What names it.
    public var audioComponentDescription: AudioComponentDescription { AudioComponentDescription(component.description) }
    /// Words by which users find it.
    public var allTagNames: [String] { component.tags }
    /// Whether it is in a process of its own.
    public var isSandboxSafe: Bool { true }
}

/// Finds the plug-ins that are installed.
public final class AVAudioUnitComponentManager: NSObject, Sendable {
    private static let manager = AVAudioUnitComponentManager()

    /// The one manager.
    public static func shared() -> AVAudioUnitComponentManager { manager }

    /// The plug-ins that a description matches; 0 matches all.
    public func components(matching description: AudioComponentDescription) -> [AVAudioUnitComponent] {
        let wanted = description.native
        return installed().filter { wanted.matches($0.component.description) }
    }

    /// The plug-ins that a test accepts; it sets the second argument to true where none is wanted any more.
    public func components(
        passingTest test: (AVAudioUnitComponent, UnsafeMutablePointer<ObjCBool>) -> Bool
    ) -> [AVAudioUnitComponent] {
        var isOver = ObjCBool(false)
        return installed().filter { !isOver.boolValue && test($0, &isOver) }
    }

    private func installed() -> [AVAudioUnitComponent] {
        do throws(HostingError) {
            return try HostConfiguration.current.installation.registry().components.map(AVAudioUnitComponent.init)
        } catch {
            AVFAudioLog.write("\(error)")
            return []
        }
    }
}
