/** Turns the value of a property as it was sent into the value that follows; `sent` are all properties. */
type Reader = (value: unknown, sent: Readonly<Record<string, unknown>>) => unknown;

interface PropertyReaders {
  /** In the order in which their decorators stand. */
  readonly readers: Reader[];
  /** Whether the property is read although it was not sent. */
  isAlwaysRead: boolean;
}

/** By the prototype of the class that declares the property. */
const declared = new WeakMap<object, Map<string, PropertyReaders>>();

/** Reads a property with `read`, after the readers above it. */
export function readBy(read: Reader, { always = false } = {}): PropertyDecorator {
  return (prototype, key) => {
    const properties = declared.get(prototype) ?? new Map<string, PropertyReaders>();
    declared.set(prototype, properties);
    const property = properties.get(String(key)) ?? { readers: [], isAlwaysRead: false };
    properties.set(String(key), property);
    // Decorators are applied from the lowest to the highest.
    property.readers.unshift(read);
    property.isAlwaysRead ||= always;
  };
}

/**
 * An instance of the class with the sent properties of these names, as their decorators read them. A property that is
 * not sent, or read as undefined, keeps the default of the class. Values inside of a property stay the ones that were
 * sent: a copy of 24,000 names takes class-transformer 0.7 s.
 */
export function readInstance(
  inputClass: new () => object,
  sent: Readonly<Record<string, unknown>>,
  names: ReadonlySet<string>,
): object {
  const instance = new inputClass();
  for (const name of names) {
    const { readers, isAlwaysRead } = readersOf(instance, name);
    if (!isAlwaysRead && !Object.hasOwn(sent, name)) continue;
    const given = Object.hasOwn(sent, name) ? sent[name] : undefined;
    const value = readers.reduce((before, read) => read(before, sent), given);
    if (value !== undefined) Object.defineProperty(instance, name, { value, ...PLAIN });
  }
  return instance;
}

const PLAIN = { enumerable: true, configurable: true, writable: true };
const NONE: PropertyReaders = { readers: [], isAlwaysRead: false };

/** Of the nearest class that has some. */
function readersOf(instance: object, name: string): PropertyReaders {
  for (let at: unknown = Object.getPrototypeOf(instance); typeof at === 'object' && at !== null;) {
    const found = declared.get(at)?.get(name);
    if (found !== undefined) return found;
    at = Object.getPrototypeOf(at);
  }
  return NONE;
}
