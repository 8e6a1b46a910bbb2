// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The URIs of LV2 that the bridge uses. Any thread.

/// The beginnings of URIs, and some whole URIs.
enum Names {
    static let core = "http://lv2plug.in/ns/lv2core#"
    static let atom = "http://lv2plug.in/ns/ext/atom#"
    static let bufSize = "http://lv2plug.in/ns/ext/buf-size#"
    static let dynamicManifest = "http://lv2plug.in/ns/ext/dynmanifest#DynManifest"
    static let inlineDisplay = "http://harrisonconsoles.com/lv2/inlinedisplay#"
    static let log = "http://lv2plug.in/ns/ext/log#"
    static let midiEvent = "http://lv2plug.in/ns/ext/midi#MidiEvent"
    static let options = "http://lv2plug.in/ns/ext/options#"
    static let parameters = "http://lv2plug.in/ns/ext/parameters#"
    static let patch = "http://lv2plug.in/ns/ext/patch#"
    static let portGroups = "http://lv2plug.in/ns/ext/port-groups#"
    static let portProps = "http://lv2plug.in/ns/ext/port-props#"
    static let presets = "http://lv2plug.in/ns/ext/presets#"
    static let resizePort = "http://lv2plug.in/ns/ext/resize-port#"
    static let state = "http://lv2plug.in/ns/ext/state#"
    static let time = "http://lv2plug.in/ns/ext/time#"
    static let units = "http://lv2plug.in/ns/extensions/units#"
    static let urid = "http://lv2plug.in/ns/ext/urid#"
    static let worker = "http://lv2plug.in/ns/ext/worker#"
    static let eventPort = "http://lv2plug.in/ns/ext/event#EventPort"
    static let type = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
    static let value = "http://www.w3.org/1999/02/22-rdf-syntax-ns#value"
    static let label = "http://www.w3.org/2000/01/rdf-schema#label"
    static let range = "http://www.w3.org/2000/01/rdf-schema#range"

    /// The part of a URI after its last separator, which serves as a name.
    static func lastComponent(of uri: String) -> String {
        uri.split(whereSeparator: { "/#:".contains($0) }).last.map(String.init) ?? uri
    }
}
