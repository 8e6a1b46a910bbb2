// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The installed plug-ins. Any thread but the render thread.

import AudioGraph
import Foundation
import PluginHosting

/// An installed plug-in.
public final class AVAudioUnitComponent: NSObject, Sendable {
    let component: Component

    init(_ component: Component) { self.component = component }

    /// The name.
    public var name: String { component.name }
    /// The manufacturer.
    public var manufacturerName: String { component.manufacturerName }
    /// The kind as text.
    public var typeName: String { ComponentType(code: component.description.type)?.name ?? "\(component.description.type)" }
    /// The version as a number.
    public var version: Int { Int(component.version.rawValue) }
    /// The version as text.
    public var versionString: String { component.version.description }
    /// The codes of the plug-in.
    public var audioComponentDescription: AudioComponentDescription { AudioComponentDescription(component.description) }
    /// Words by which users find the plug-in.
    public var allTagNames: [String] { component.tags }
    /// True if the plug-in runs in a process of its own.
    public var isSandboxSafe: Bool { true }
}

/// Finds the installed plug-ins.
public final class AVAudioUnitComponentManager: NSObject, Sendable {
    private static let manager = AVAudioUnitComponentManager()

    /// The only manager.
    public static func shared() -> AVAudioUnitComponentManager { manager }

    /// The plug-ins that match a description; 0 matches any code.
    public func components(matching description: AudioComponentDescription) -> [AVAudioUnitComponent] {
        let wanted = description.native
        return installed().filter { wanted.matches($0.component.description) }
    }

    /// The plug-ins that a test accepts; the test sets its second argument to true to stop.
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
