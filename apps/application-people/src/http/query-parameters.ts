import { isUtf8 } from 'node:buffer';

/** The parameters of a request's query, by their names in lower case: clients differ in case (web-interface.md, section 0). */
export function queryParameters(url: string): ReadonlyMap<string, readonly string[]> {
  const start = url.indexOf('?');
  const parameters = new Map<string, string[]>();
  if (start === -1) return parameters;
  for (const [name, value] of new URLSearchParams(asUtf8(url.slice(start + 1)))) {
    const key = name.toLowerCase();
    const others = parameters.get(key);
    // A part of a batch may repeat one a hundred thousand times.
    if (others === undefined) parameters.set(key, [value]);
    else others.push(value);
  }
  return parameters;
}

/** Some clients send letters as they are, without escapes; Node then hands over one character for each byte. */
function asUtf8(query: string): string {
  const bytes = Buffer.from(query, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : query;
}

/** The tab that a request speaks for, from `?instanceId=`; null for the client itself (web-interface.md, section 3). */
export function instanceOf(url: string): string | null {
  return queryParameters(url).get('instanceid')?.[0] ?? null;
}
