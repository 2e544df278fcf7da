import type { FactoryProvider } from '@nestjs/common';

/** What injects a value of the type `T`: its class, or a symbol. */
type TokenOf<T> = symbol | { readonly prototype: NonNullable<T> };
type RequiredKeys<O> = { [K in keyof O]-?: object extends Pick<O, K> ? never : K }[keyof O];
type Tokens<O> = { readonly [K in RequiredKeys<O>]: TokenOf<O[K]> } & { readonly [K in keyof O]?: TokenOf<O[K]> };

/**
 * Provides a plain class, one without decorators, whose constructor has one parameter: an object of named dependencies.
 * `tokens`: the injection token of each of them.
 */
export function provideClass<T, O extends object>(
  provided: new (options: O) => T,
  tokens: Tokens<NoInfer<O>>,
): FactoryProvider<T> {
  const names = Object.keys(tokens);
  return {
    provide: provided,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every token is a class or a symbol, which Nest takes
    inject: Object.values(tokens) as symbol[],
    useFactory: (...values: unknown[]) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- names and values are those of the type of `tokens`
      new provided(Object.fromEntries(names.map((name, index) => [name, values[index]])) as O),
  };
}
