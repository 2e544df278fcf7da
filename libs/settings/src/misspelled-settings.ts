import type { Environment } from './read-settings.js';
import { isNearMiss } from './nearest-name.js';

/** Shorter names are too similar to names of other programs. */
const SHORTEST = 4;

/**
 * Names in the environment that differ from a setting by one or two letters.
 * An environment contains many names of other programs, so only very similar names are reported as mistakes.
 */
export function misspelledSettings(known: Iterable<string>, env: Environment): string[] {
  const names = [...known].filter((name) => name.length >= SHORTEST);
  return Object.keys(env)
    .filter((name) => name.length >= SHORTEST && !names.includes(name))
    .flatMap((name) => {
      const meant = names.find((candidate) => isNearMiss(name, candidate));
      return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`];
    });
}
