// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The names of the messages in the protocol. Any thread.

extension HostMessage {
    /// The message's name in the protocol, such as `setParameters`.
    package var name: String {
        switch self {
        case .hello: "hello"
        case .allocate: "allocate"
        case .deallocate: "deallocate"
        case .setParameters: "setParameters"
        case .selectPreset: "selectPreset"
        case .saveState: "saveState"
        case .restoreState: "restoreState"
        case .reset: "reset"
        case .shutdown: "shutdown"
        case .listUnits: "listUnits"
        case .setText: "setText"
        case .addUnit: "addUnit"
        case .wire: "wire"
        case .openView: "openView"
        }
    }
}

extension PluginMessage {
    /// The message's name in the protocol, such as `welcome`.
    package var name: String {
        switch self {
        case .welcome: "welcome"
        case .done: "done"
        case .refused: "refused"
        case .allocated: "allocated"
        case .state: "state"
        case .versionRefused: "versionRefused"
        case .units: "units"
        case .viewOpened: "viewOpened"
        }
    }
}
