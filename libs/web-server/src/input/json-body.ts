import { Fault } from '../errors.js';

const MAX_JSON_DEPTH = 32;

/**
 * The JSON of a request body as plain data; an empty body is an empty object. Throws {@link Fault} `unreadable-body`.
 */
export function parseJson(body: Buffer | undefined): unknown {
  if (body === undefined || body.length === 0) return {};
  const text = body.toString('utf8');
  if (jsonDepth(text) > MAX_JSON_DEPTH) {
    throw new Fault('unreadable-body', { message: `The JSON is nested deeper than ${MAX_JSON_DEPTH} levels.` });
  }
  try {
    // Parsing with a reviver takes five times as long: only for a text that may have the name, also written with escapes.
    return JSON.parse(text, text.includes('__proto__') || text.includes('\\u') ? withoutProto : undefined);
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault('unreadable-body', { message: 'The body is not JSON.', cause });
  }
}

function withoutProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new Fault('unreadable-body', { message: 'The name __proto__ is not allowed.' });
  return value;
}

/** Counted before parsing, because functions that later visit the parsed value are recursive. */
function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString && char === '\\') i++;
    else if (char === '"') inString = !inString;
    else if (!inString && (char === '{' || char === '[')) deepest = Math.max(deepest, ++depth);
    else if (!inString && (char === '}' || char === ']')) depth--;
  }
  return deepest;
}
