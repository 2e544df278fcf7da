import type { SearchParameters } from './answers.js';

/** Parameters of a request; a list is sent as a repeated parameter. */
export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** A query as text, without a question mark; a list is a repeated parameter. */
export function queryText(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value = []]) =>
    (typeof value === 'object' ? value : [String(value)]).map((each) => [name, each]),
  );
  return new URLSearchParams(given).toString();
}

/** The opposite of {@link queryText}. */
export function queryIn(text: string): SearchParameters {
  const given = new URLSearchParams(text);
  return Object.fromEntries(
    [...given.keys()].map((name) => {
      const [first = '', ...more] = given.getAll(name);
      return [name, more.length === 0 ? first : [first, ...more]];
    }),
  );
}
