// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a program decides once about hosting. Each test in a process of its own, since it changes the process.

import AudioUnits
import Confinement
import Testing

@testable import PluginHosting

@Suite struct HostConfigurationTests {
    @Test func completeConfinementCanBeRequired() async {
        await #expect(processExitsWith: .success) {
            var configuration = HostConfiguration()
            configuration.supportFolders = ["/nowhere"]
            HostConfiguration.current = configuration
            #expect(HostConfiguration.confinementGaps.contains(.keeper(paths: ["/nowhere/bulkhead-keeper"])))
            let component = try Build.component("Probe")
            _ = try HostedUnit(component)
            configuration.requiresCompleteConfinement = true
            HostConfiguration.current = configuration
            let error = #expect(throws: HostingError.self) { try HostedUnit(component) }
            guard case .incompleteConfinement(let gaps) = error else {
                throw TestFailure("The unit was refused for another reason: \(String(describing: error)).")
            }
            #expect(gaps == HostConfiguration.confinementGaps)
        }
    }

    @Test func aPlugInIsFoundByNameOrDescriptionInTheInstallation() async {
        await #expect(processExitsWith: .success) {
            var configuration = HostConfiguration()
            configuration.installation.bundleFolders = [Build.testPluginFolder]
            (configuration.installation.classicFolders, configuration.installation.settingsPath) = ([:], nil)
            HostConfiguration.current = configuration
            let description = try #require(ComponentDescription("aufx:prob:*"))
            await #expect(throws: HostingError.notTrusted(unit: "Probe", id: "aufx:prob:test")) {
                _ = try await PluginUnit.instantiate("aufx:prob:test", options: .loadInProcess)
            }
            let folder = try TemporaryFolder()
            HostConfiguration.current.installation.settingsPath = "\(folder.path)/plugins.json"
            let code = try Build.component("Probe").code()
            _ = try HostConfiguration.current.installation.changeSettings { $0.trust("aufx:prob:test", code) }
            let units = [
                try await PluginUnit.instantiate("probe"), try await PluginUnit.instantiate(with: description),
                try await PluginUnit.instantiate("aufx:prob:test", options: .loadInProcess),
            ]
            #expect(units.map(\.name) == ["Probe", "Probe", "Probe"])
            #expect(units.map(\.isInProcess) == [false, false, true])
            await #expect(throws: HostingError.unknownComponent("Prode", nearest: ["Probe"])) {
                _ = try await PluginUnit.instantiate("Prode")
            }
        }
    }

    @Test func aHostHasANameForPlugIns() {
        var configuration = HostConfiguration()
        #expect(configuration.greeting == "Bulkhead")
        (configuration.name, configuration.version) = ("Studio", "2.1")
        #expect(configuration.greeting == "Studio 2.1")
    }
}
