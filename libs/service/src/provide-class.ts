import type { FactoryProvider } from '@nestjs/common';

/** What injects a value of the type `T`: its class, or a symbol. */
type TokenOf<T> = symbol | { readonly prototype: NonNullable<T> };
type AnyToken = symbol | { readonly prototype: unknown };

/** A value that is computed from an injected one. */
export class Derived<T> {
  constructor(
    readonly token: AnyToken,
    /** `never`: whoever makes it knows the type of the token. */
    readonly derive: (value: never) => T,
  ) {}
}

/** `derived(ClockWatch, (clocks) => () => clocks.now())` */
export function derived<V, T>(token: { readonly prototype: V }, derive: (value: V) => T): Derived<T> {
  return new Derived(token, derive);
}

/** Derives from an injected `S`: one property by its name, or what a function makes of it. */
export interface DerivedFrom<S> {
  <K extends keyof S>(name: K): Derived<S[K]>;
  <T>(derive: (value: S) => T): Derived<T>;
}

/** `const fromSettings: DerivedFrom<Settings> = derivedFrom(SETTINGS)`, then `fromSettings('sites')`. */
export function derivedFrom<S>(token: symbol): DerivedFrom<S> {
  function part<K extends keyof S>(name: K): Derived<S[K]>;
  function part<T>(derive: (value: S) => T): Derived<T>;
  function part(of: keyof S | ((value: S) => unknown)): Derived<unknown> {
    return new Derived(token, typeof of === 'function' ? of : (value: S) => value[of]);
  }
  return part;
}

type Source<T> = TokenOf<T> | Derived<T>;
type RequiredKeys<O> = { [K in keyof O]-?: object extends Pick<O, K> ? never : K }[keyof O];
/** Sources of the named dependencies of an object of options. */
type Named<O> = { readonly [K in RequiredKeys<O>]: Source<O[K]> } & { readonly [K in keyof O]?: Source<O[K]> };
type Sources<P extends readonly unknown[]> = { readonly [K in keyof P]: Source<P[K]> | Named<P[K]> };

// oxlint-disable-next-line typescript/no-explicit-any -- only `any` accepts the parameters of every constructor
type AnyClass = new (...parameters: any[]) => object;

/**
 * Provides a plain class, one without decorators. `sources`: for each parameter of its constructor the injection token, a
 * {@link Derived} value, or an object of them for a parameter with named dependencies.
 */
export function provideClass<C extends AnyClass>(
  provided: C,
  ...sources: Sources<ConstructorParameters<C>>
): FactoryProvider<InstanceType<C>> {
  const inject: symbol[] = [];
  const parameters = sources.map((source) => reader(source, inject));
  return {
    provide: provided,
    inject,
    useFactory: (...values: unknown[]) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the class and its sources have the types of `sources`
      new provided(...parameters.map((read) => read(values))) as InstanceType<C>,
  };
}

/** Adds the tokens of a source to `inject`; returns what reads the source's value from those that were injected. */
function reader(source: unknown, inject: symbol[]): (values: readonly unknown[]) => unknown {
  if (source instanceof Derived) {
    const read = reader(source.token, inject);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the token injects what `derive` takes
    return (values) => source.derive(read(values) as never);
  }
  if (typeof source === 'object') {
    const named = Object.entries(source ?? {}).map(([name, part]) => [name, reader(part, inject)] as const);
    return (values) => Object.fromEntries(named.map(([name, read]) => [name, read(values)]));
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a class or a symbol, which Nest takes
  const place = inject.push(source as symbol) - 1;
  return (values) => values[place];
}
