// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A view in the process of a test: a picture without a terminal. One thread.

import AudioUnits
import PluginSDK

/// The view of a kernel, for tests: `send` it events, and look at its `lines` and values.
///
/// The view hears no sound, and no key is held.
public final class DrawnView {
    private let parameters: ParameterTree
    private let view: BareView

    /// `[view]` Opens a view; throws `failed` if the kernel has none.
    public init<K: Kernel & ~Copyable>(_ kernel: K.Type, columns: Int = 60, rows: Int = 16) throws(UnitError) {
        guard let view = BareView(kernel, size: ViewSize(columnCount: columns, rowCount: rows)) else {
            throw .failed("it has no view")
        }
        (parameters, self.view) = (K.parameters, view)
    }

    /// `[view]` Sends the view an event, as a host does: a key, the mouse, another size, a new value.
    public func send(_ event: ViewEvent) { view.handle(event) }

    /// `[view]` Tells the view a value that was set elsewhere; throws `unknownParameter`.
    public func set(_ keyPath: String, to value: Double) throws(UnitError) {
        guard let parameter = parameters[keyPath: keyPath] else { throw .unknownParameter(keyPath) }
        send(.value(address: parameter.address, value))
    }

    /// `[view]` The value of a parameter, as the view has it; throws `unknownParameter`.
    public func value(of keyPath: String) throws(UnitError) -> Double {
        guard let parameter = parameters[keyPath: keyPath] else { throw .unknownParameter(keyPath) }
        return view.value(of: parameter.address)
    }

    /// `[view]` Draws a picture.
    public func draw() -> CellGrid { view.draw() }

    /// `[view]` The lines of a new picture, without colours.
    public var lines: [String] { draw().text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}
