// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The interface of a view: a picture of cells, and answers to keys and mouse. The view's thread.

import AudioUnits
import Cells
import ControlMessages
import ViewChannel

/// A picture of a unit that a person sees and acts on.
///
/// The kernel names the view's type: `static var view: (any View.Type)? { MyView.self }`. The runtime makes an instance when a
/// host opens the view. One thread of its own uses it, which is not real time: it may allocate and wait. A slow view costs no
/// sound.
public protocol View {
    /// `[any]` The sizes that the view prefers, the best first; it must adapt to any other size.
    static var preferredSizes: [ViewSize] { get }
    /// `[any]` Pictures a second without any event; 0, the default, for a view without motion.
    ///
    /// At most 30 pictures a second are drawn.
    static var frameRate: Double { get }

    /// `[view]` Makes the view; its parameters have their values by now.
    init(_ context: ViewContext)

    /// `[view]` Draws the whole picture into an empty grid, whose size is the view's.
    ///
    /// Called after events, after changes of values, and at the frame rate. Only cells that differ are sent.
    mutating func draw(into grid: inout CellGrid, _ context: ViewContext)

    /// `[view]` Takes an event: a key, the mouse, or the focus; by default it does nothing.
    ///
    /// The context has new sizes and values before this call.
    mutating func handle(_ event: ViewEvent, _ context: ViewContext)
}

extension View {
    /// None: all sizes suit the view equally.
    public static var preferredSizes: [ViewSize] { [] }
    /// Zero: nothing moves by itself.
    public static var frameRate: Double { 0 }
    /// `[view]` Does nothing.
    public mutating func handle(_ event: ViewEvent, _ context: ViewContext) {}
}

/// Makes the view of a bridged unit, which is known only at run time.
public struct ViewMaker {
    /// The sizes that the view prefers, the best first.
    public let preferredSizes: [ViewSize]
    /// Pictures a second without any event; 0 for a view without motion.
    public let frameRate: Double
    let make: (ViewContext) -> any View

    /// Makes views by a function, which is called on the view's thread.
    public init(preferredSizes: [ViewSize] = [], frameRate: Double = 0, _ make: @escaping (ViewContext) -> any View) {
        (self.preferredSizes, self.frameRate, self.make) = (preferredSizes, frameRate, make)
    }

    /// Makes views of a type.
    init(_ type: any View.Type) {
        (preferredSizes, frameRate, make) = (type.preferredSizes, type.frameRate, { type.init($0) })
    }
}

/// A view's access to its unit: values, sound, keys and changes.
///
/// `[view]` Only the view's thread uses it.
public final class ViewContext {
    /// The unit's parameters.
    public let parameters: ParameterTree
    /// The sound that goes into the unit's first bus, all channels averaged.
    public let input: Scope
    /// The sound that comes out of the unit's first bus, all channels averaged.
    public let output: Scope
    /// The keys that MIDI messages hold down.
    public let keys: KeyScope
    /// The size of the view in cells.
    public internal(set) var size: ViewSize
    /// The number of colours that the screen shows; 0 for a screen without colours.
    public internal(set) var colorCount: Int
    /// The size of a cell if the screen also shows the pixels of a grid; no pixels elsewhere.
    public internal(set) var cell = PixelSize.none
    /// The most pixels that a grid may have.
    public internal(set) var pixelCapacity = 0
    /// True if keys go to the view.
    public internal(set) var isFocused = false
    /// The number of pictures so far; each drawing has the next number.
    public internal(set) var pictureCount = 0

    private var values: [UInt64: Double]
    private let notify: (ViewNotice) -> Void

    init(parameters: ParameterTree, scopes: Scopes, opening: ViewOpening, notify: @escaping (ViewNotice) -> Void) {
        self.parameters = parameters
        (input, output, keys) = (Scope(scopes, .input), Scope(scopes, .output), KeyScope(scopes))
        (size, colorCount) = (opening.size, opening.colorCount)
        values = Dictionary(parameters.parameters.map { ($0.parameter.address, $0.parameter.defaultValue) }) { first, _ in first }
        self.notify = notify
    }

    /// The sample rate in hertz, or 48000 while the unit has no resources.
    public var sampleRate: Double { input.sampleRate }

    /// The value of a parameter; NaN for an address that the unit does not have.
    public subscript(address: UInt64) -> Double { values[address] ?? .nan }

    /// Sets a parameter as the person wishes; values out of its range become the nearest one.
    ///
    /// The host hears of it, and does not send it back to the view. Three things are ignored: an address that does not exist, a
    /// parameter that cannot be set, and NaN.
    public func set(_ address: UInt64, to value: Double) {
        guard let parameter = parameters[address: address], parameter.flags.isDisjoint(with: [.readOnly, .meter]), !value.isNaN
        else { return }
        let accepted = parameter.accepted(sampleRate: sampleRate)
        let nearest = min(max(value, accepted.lowerBound), accepted.upperBound)
        guard values[address] != nearest else { return }
        values[address] = nearest
        notify(.set(address: address, nearest))
    }

    /// Tells the host that the person has taken hold of a parameter, for example with the mouse, or has released it.
    public func touch(_ address: UInt64, isHeld: Bool) { notify(.touch(address: address, isHeld: isHeld)) }

    /// Updates the context from an event: sizes, values and the focus.
    func take(_ event: ViewEvent) {
        switch event {
        case .size(let size, let colorCount, let cell): (self.size, self.colorCount, self.cell) = (size, colorCount, cell)
        case .value(let address, let value): take(address, value)
        case .focus(let isFocused): self.isFocused = isFocused
        case .key, .mouse, .look: break
        }
    }

    /// Takes a value that was set elsewhere.
    private func take(_ address: UInt64, _ value: Double) {
        if values[address] != nil, !value.isNaN { values[address] = value }
    }
}
