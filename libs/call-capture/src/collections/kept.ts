// V8 keeps more alive than what a call needs: these copies are for values that stay as long as the call.

/** A copy of a text that was cut out of a message: the cut would keep the whole message in memory. */
export function keptText(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

/** A copy of a list that was made by `flatMap`, `push` or a spread: these reserve room for 16 more elements. */
export function keptList<T>(list: readonly T[]): T[] {
  return list.slice();
}
