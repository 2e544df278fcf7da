import type { StreamPosition } from './position.js';

type Metadata = Readonly<Record<string, string>>;

const KEY = 'ringdown-last-read';

/** The metadata of a consumer with the last message delivered to its reader, for the next process. */
export function withLastRead(metadata: Metadata, position: StreamPosition): Record<string, string> {
  return { ...metadata, [KEY]: JSON.stringify(position) };
}

/** What {@link withLastRead} has stored; undefined if there is none, or if another program has written it. */
export function storedLastRead(metadata: Metadata = {}): StreamPosition | undefined {
  const { epoch, sequence, message } = givenObject(parsed(metadata[KEY]));
  const { digest, storedAt } = givenObject(message);
  if (typeof epoch !== 'string' || typeof sequence !== 'number') return undefined;
  if (typeof digest !== 'string' || typeof storedAt !== 'number') return undefined;
  return { epoch, sequence, message: { digest, storedAt } };
}

function parsed(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function givenObject(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}
