import { errorReason } from '@ringdown/errors';
import { readFileSync } from 'node:fs';
import { defaultProfile, msProfile } from './profiles.js';
import type { VendorProfile } from './profile.js';

/**
 * The profile for the setting `VENDOR_PROFILE`: `default`, `ms`, or the path of a JSON file with the parts that differ
 * from the default profile. Throws an Error that completes "VENDOR_PROFILE …".
 */
export function loadProfile(nameOrFile: string): VendorProfile {
  if (nameOrFile === 'default') return defaultProfile;
  if (nameOrFile === 'ms') return msProfile;
  return overlay(defaultProfile, readJson(nameOrFile), '');
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = errorReason(error);
    throw new Error(`must be "default", "ms" or a readable JSON file: ${reason}`, { cause: error });
  }
}

/**
 * Merges `part` into `base`; a key or type that `base` does not have is an error, so that spelling mistakes are found.
 */
function overlay<T extends object>(base: T, part: unknown, path: string): T {
  if (!isObject(part)) throw new Error(`must contain an object at "${path || '/'}"`);
  const known = new Map<string, unknown>(Object.entries(base));
  const changed = Object.entries(part).map(([key, value]) => {
    const where = `${path}/${key}`;
    if (!known.has(key)) throw new Error(`has an unknown key "${where}"`);
    const old = known.get(key);
    if (isObject(old)) return [key, overlay(old, value, where)];
    if (Array.isArray(old) ? !isTextList(value) : typeof value !== typeof old) {
      throw new Error(`needs ${Array.isArray(old) ? 'a list of texts' : `a ${typeof old}`} at "${where}"`);
    }
    return [key, value];
  });
  return { ...base, ...Object.fromEntries(changed) };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}
