// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A property that tells its changes before they happen. On the thread that sets it.

/// Tells each change of a property before it happens.
///
/// It first tells the object's `objectWillChange`, then the new value to the subscribers of `$name`, and then sets the property. A
/// subscriber that reads the property therefore finds the former value. The program sees to it that one thread at a time sets it.
@propertyWrapper
public struct Published<Value> {
    private let source: PublishedSource<Value>

    /// Begins with a value.
    public init(wrappedValue: Value) { source = PublishedSource(wrappedValue) }

    /// Begins with a value.
    public init(initialValue: Value) { source = PublishedSource(initialValue) }

    /// Sends the present value to each new subscriber, and each later one before it is set.
    public struct Publisher: Combine.Publisher {
        /// The values.
        public typealias Output = Value
        /// Nothing fails.
        public typealias Failure = Never

        fileprivate let source: PublishedSource<Value>

        /// Begins to send values to a subscriber; while it asks for none, only the latest one waits for it.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            source.outlets.add(subscriber) { source.value }
        }

        /// Sets the property to each value of a publisher, as long as the property lives.
        func follow(_ publisher: some Combine.Publisher<Value, Never>) {
            source.keep(publisher.sink { [weak source] in source?.set($0) })
        }
    }

    /// The publisher of the values.
    public var projectedValue: Publisher {
        get { Publisher(source: source) }
        set { self = Published(source: newValue.source) }
    }

    private init(source: PublishedSource<Value>) { self.source = source }

    /// The property itself, which only an object can have.
    @available(*, unavailable, message: "A class can have published properties, and nothing else can.")
    public var wrappedValue: Value {
        get { source.value }
        nonmutating set { source.set(newValue) }
    }

    /// The property of an object.
    public static subscript<Object: AnyObject>(
        _enclosingInstance object: Object, wrapped wrapped: ReferenceWritableKeyPath<Object, Value>,
        storage storage: ReferenceWritableKeyPath<Object, Published<Value>>
    ) -> Value {
        get { object[keyPath: storage].source.value }
        set { object[keyPath: storage].source.set(newValue) }
    }
}

extension Published: PublishedProperty {
    func tell(_ publisher: ObservableObjectPublisher) { source.tell(publisher) }
}
