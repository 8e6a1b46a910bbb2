// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the author of a view writes: a picture of cells, and what keys and mouse do. The view's thread.

import AudioUnits
import Cells
import ControlMessages
import ViewChannel

/// A picture of a unit that a person sees and acts on.
///
/// The type beside the kernel that draws: `static var view: (any View.Type)? { MyView.self }`. The runtime makes an instance when
/// a host opens the view. One thread of its own uses it, which is not real time: it may allocate, wait and take its time. A slow view
/// costs no sound.
public protocol View {
    /// `[any]` The sizes that the view likes, the best first; it has to fit every other size as well as it can.
    static var preferredSizes: [ViewSize] { get }
    /// `[any]` How often the view is drawn in a second although nothing has happened; 0, the default, for a view without motion.
    ///
    /// At most 30 pictures are drawn in a second.
    static var frameRate: Double { get }

    /// `[view]` Makes the view; its parameters have their values by now.
    init(_ context: ViewContext)

    /// `[view]` Draws the whole picture into an empty grid, whose size is the view's.
    ///
    /// Called after events, after changes of values, and at the frame rate. Only what differs is sent.
    mutating func draw(into grid: inout CellGrid, _ context: ViewContext)

    /// `[view]` Takes an event: a key, the mouse, or the focus; by default it does nothing.
    ///
    /// New sizes and values are known to the context before this is called for them.
    mutating func handle(_ event: ViewEvent, _ context: ViewContext)
}

extension View {
    /// All sizes are the same to it.
    public static var preferredSizes: [ViewSize] { [] }
    /// Nothing moves by itself.
    public static var frameRate: Double { 0 }
    /// `[view]` Does nothing.
    public mutating func handle(_ event: ViewEvent, _ context: ViewContext) {}
}

/// How the view of a bridged unit is made, which is known only at run time.
public struct ViewMaker {
    /// The sizes that the view likes, the best first.
    public let preferredSizes: [ViewSize]
    /// How often it is drawn in a second although nothing has happened; 0 for a view without motion.
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

/// What a view knows of its unit, and what it may do to it.
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
    /// The size of a cell where the screen shows the pixels of a grid as well; no pixels elsewhere.
    public internal(set) var cell = PixelSize.none
    /// The most pixels of a grid that there is room for.
    public internal(set) var pixelCapacity = 0
    /// Whether keys go to the view.
    public internal(set) var isFocused = false
    /// Pictures so far; each drawing has the next number.
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
    /// The host hears of it, and does not repeat it to the view. An address that does not exist, a parameter that cannot be set, and NaN
    /// are passed over.
    public func set(_ address: UInt64, to value: Double) {
        guard let parameter = parameters[address: address], parameter.flags.isDisjoint(with: [.readOnly, .meter]), !value.isNaN
        else { return }
        let accepted = parameter.accepted(sampleRate: sampleRate)
        let nearest = min(max(value, accepted.lowerBound), accepted.upperBound)
        guard values[address] != nearest else { return }
        values[address] = nearest
        notify(.set(address: address, nearest))
    }

    /// Tells the host that the person has taken hold of a parameter, for example with the mouse, or let it go.
    public func touch(_ address: UInt64, isHeld: Bool) { notify(.touch(address: address, isHeld: isHeld)) }

    /// Takes from an event what the context knows: sizes, values and the focus.
    func take(_ event: ViewEvent) {
        switch event {
        case .size(let size, let colorCount, let cell): (self.size, self.colorCount, self.cell) = (size, colorCount, cell)
        case .value(let address, let value): take(address, value)
        case .focus(let isFocused): self.isFocused = isFocused
        case .key, .mouse, .look: break
        }
    }

    /// Takes a value that somebody else has set.
    private func take(_ address: UInt64, _ value: Double) {
        if values[address] != nil, !value.isNaN { values[address] = value }
    }
}
