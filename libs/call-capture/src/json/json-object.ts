export type JsonObject = Readonly<Record<string, unknown>>;

/** The JSON in a packet of a capture agent; undefined if it is not an object. */
export function readJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
