// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead bundle: makes a bundle of a plug-in that somebody has built. Main thread.

import Console
import FoundationEssentials
import Glibc
import PluginHosting

struct BundleCommand: Command {
    static let name = "bundle"
    static let summary = "makes a bundle of a plug-in's library"
    static let synopsis = "LIBRARY… [--folder FOLDER]"
    static let options = [Option("--folder", "FOLDER", "where the bundles go; beside the libraries without it")]
    static let details = """
        LIBRARY is libNAME.so as the Swift package manager builds it from a dynamic library product, or an executable
        that speaks the protocol itself. The plug-in is started once and asked who it is.
        """
    static let examples = [".build/release/libChorus.so --folder ~/.local/lib/bulkhead"]

    private var plugins: [String] = []
    private var folder: String?

    init(_ arguments: inout Arguments) throws {
        while let word = arguments.next() {
            if word == "--folder" {
                folder = try arguments.value(of: word)
            } else if word.hasPrefix("-") {
                throw arguments.unknown(word, among: Self.options)
            } else {
                plugins.append(word)
            }
        }
        if plugins.isEmpty { throw arguments.usage("Say which library to make a bundle of.") }
    }

    func run() throws {
        for plugin in plugins {
            guard FileManager.default.isReadableFile(atPath: plugin) else {
                throw CommandError.failed("Couldn't make a bundle of \"\(plugin)\": there is no such file, or it cannot be read.")
            }
            let beside = FilePath.folder(of: plugin)
            let target = folder ?? (beside.isEmpty ? "." : beside)
            Terminal.print(try BundleWriter.write(plugin: plugin, launcher: Self.launcher, folder: target))
        }
    }

    /// The launcher beside this command in a build, or in the library folder of an installation.
    private static var launcher: String {
        let configuration = HostConfiguration.current
        return configuration.launcherPath ?? "\(configuration.supportFolders.first ?? "")/bulkhead-extension"
    }
}
