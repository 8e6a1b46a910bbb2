// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes a bundle of a plug-in's library or executable, with a manifest from the plug-in's own description. Control thread.

import AudioUnits
import Confinement
import ControlMessages
import FoundationEssentials
import Glibc
import LinuxSystem
import Wire

/// Makes bundles.
package enum BundleWriter {
    /// Makes `NAME.bulkhead` in `folder` and returns the bundle's path.
    ///
    /// `plugin` is a library (`libNAME.so`), from which `launcher` makes a process, or an executable that speaks the protocol.
    /// The plug-in is started once to read its description. An older bundle of that name is replaced.
    package static func write(plugin: String, launcher: String, folder: String) throws(HostingError) -> String {
        let file = FilePath.name(of: plugin)
        let isLibrary = file.hasPrefix("lib") && file.hasSuffix(".so")
        let name = isLibrary ? String(file.dropFirst(3).dropLast(3)) : file
        let bundle = "\(folder)/\(name).\(ComponentRegistry.bundleExtension)"
        let draft = "\(bundle).\(getpid()).draft"
        // A draft is left only after an error, which is thrown.
        defer { try? FileManager.default.removeItem(atPath: draft) }
        try attempt("make the bundle \"\(bundle)\"") {
            try FileManager.default.createDirectory(atPath: draft, withIntermediateDirectories: true)
            // The file itself and no link to it: a confined process cannot leave its bundle.
            let source = FilePath.resolved(plugin) ?? plugin
            try FileManager.default.copyItem(atPath: isLibrary ? launcher : source, toPath: "\(draft)/\(name)")
            if isLibrary { try copy(source, to: "\(draft)/\(file)") }
        }
        let welcome = try ask("\(draft)/\(name)", name: name)
        let manifest = manifest(of: welcome.description, executable: name, library: isLibrary ? file : nil)
        try attempt("make the bundle \"\(bundle)\"") {
            let path = URL(fileURLWithPath: "\(draft)/\(Manifest.fileName)")
            try (ReadableJSON.encode(manifest) + Data("\n".utf8)).write(to: path)
            // One that stays is in the way of the next call, which throws.
            try? FileManager.default.removeItem(atPath: bundle)
            try FileManager.default.moveItem(atPath: draft, toPath: bundle)
        }
        return bundle
    }

    private static func manifest(of unit: UnitDescription, executable: String, library: String?) -> Manifest {
        Manifest(
            component: unit.component, name: unit.name, manufacturerName: unit.manufacturerName, version: unit.version,
            tags: unit.tags, executable: executable, library: library,
            consentsToInProcess: library != nil && unit.flags.contains(.consentsToInProcess))
    }

    private static func ask(_ executable: String, name: String) throws(HostingError) -> Welcome {
        do throws(PluginFault) {
            // A bridge needs a little more than a native plug-in. The answer tells which of the two this is.
            let confinement = Confinement(.standard, paths: Component.paths(ofExecutable: executable))
            let connection = try ExtensionConnection(executable: executable, confinement: confinement)
            OutputReader.shared.follow(connection.child, as: name)
            let hello = HostMessage.hello(.own, hostName: HostConfiguration.current.greeting, locator: [])
            let answer = try connection.ask(
                hello, descriptors: [], timeoutMilliseconds: HostedUnit.handshakeTimeout)
            switch answer {
            case .welcome(let welcome): return welcome
            case .versionRefused(let theirs, _): throw .versionMismatch(plugin: theirs, host: .own)
            case .refused(let reason): throw .notStarted(reason)
            default: throw .protocolViolation("it answered the hello with something else")
            }
        } catch {
            throw .fault(unit: name, act: "make a bundle of", error)
        }
    }

    /// Copies in one write, so that the kernel caches the file in large pieces, as `FileCache` reads it later.
    private static func copy(_ library: String, to path: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: library), options: .mappedIfSafe)
        try bytes.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    private static func attempt(_ act: String, _ body: () throws -> Void) throws(HostingError) {
        do {
            try body()
        } catch {
            throw .file(act: act, cause: FileDefect(error))
        }
    }
}
