import type { IncomingHttpHeaders } from 'node:http';

/** One HTTP response, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export function header({ headers }: Answer, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The media type without parameters, in lower case. */
export function answerMediaType(answer: Answer): string {
  return (header(answer, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Throws an Error with the body when it is not JSON. */
export function json(answer: Answer): unknown {
  try {
    return JSON.parse(answer.body);
  } catch (cause) {
    throw new Error(`status ${answer.status}, and the body is not JSON: ${answer.body.slice(0, 300)}`, { cause });
  }
}

type Step = string | number;

/** The value at a path in plain data; undefined if it does not exist. */
export function at(value: unknown, ...steps: readonly Step[]): unknown {
  return steps.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );
}

/** A text at a path; throws an Error with the path if it does not exist. */
export function textAt(value: unknown, ...steps: readonly Step[]): string {
  const text = at(value, ...steps);
  if (typeof text !== 'string') throw new Error(`no text at ${steps.join('.')} of ${JSON.stringify(value)}`);
  return text;
}

export function listAt(value: unknown, ...steps: readonly Step[]): readonly unknown[] {
  const list = at(value, ...steps);
  if (!Array.isArray(list)) throw new Error(`no list at ${steps.join('.')} of ${JSON.stringify(value)}`);
  return list;
}

/** Every `href` at any depth. */
export function hrefsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'href' && typeof inner === 'string' ? [inner] : hrefsIn(inner),
  );
}
