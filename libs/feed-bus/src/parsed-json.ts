/** Undefined for a text that is not JSON: the caller checks what it is. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
