/** One for all test files of a worker (scripts/test/jest/environment.mjs); a program has its own. */
const KEPT = Symbol.for('ringdown.kept-by-worker');

/**
 * What `start` resolves with, started once for all test files of this worker of jest. It must be a plain value, as modules of
 * one file are not those of the next, and what it stands for must end by itself with this process.
 */
export async function keptByWorker(name: string, start: () => Promise<string>): Promise<string> {
  const kept = keptHere();
  let value = kept.get(name);
  if (value === undefined) {
    value = start();
    kept.set(name, value);
    // The next file tries again.
    value.catch(() => kept.delete(name));
  }
  return value;
}

/** The next one that asks for it starts it again: what the value stands for is gone. */
export function forgetKept(name: string): void {
  keptHere().delete(name);
}

function keptHere(): Map<string, Promise<string>> {
  const there: unknown = Reflect.get(globalThis, KEPT);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is put there under this symbol
  if (there instanceof Map) return there as Map<string, Promise<string>>;
  const made = new Map<string, Promise<string>>();
  Reflect.set(globalThis, KEPT, made);
  return made;
}
