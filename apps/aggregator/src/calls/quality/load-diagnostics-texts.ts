import { errorReason } from '@ringdown/errors';
import { readFileSync } from 'node:fs';
import { defaultDiagnosticsTexts, type DiagnosticsRange, type DiagnosticsTexts } from './diagnostics-texts.js';

const MAX_ENTRIES = 5_000;
const MAX_TEXT = 200;
const KEY = /^(\d{1,9})(?:-(\d{1,9}))?$/;

/**
 * The table selected by the setting `DIAGNOSTICS_TEXTS`: `default`, or the path of a JSON file that extends it:
 * `{"10004": "The gateway in Oslo failed", "52000-52999": "Media"}`. Throws an Error that completes "DIAGNOSTICS_TEXTS …".
 */
export function loadDiagnosticsTexts(nameOrFile: string): DiagnosticsTexts {
  if (nameOrFile === 'default') return defaultDiagnosticsTexts;
  const ids = new Map(defaultDiagnosticsTexts.ids);
  const ranges: DiagnosticsRange[] = [];
  const entries = Object.entries(objectIn(nameOrFile));
  if (entries.length > MAX_ENTRIES) throw new Error(`may have ${MAX_ENTRIES} texts at most`);
  for (const [key, value] of entries) {
    const text = textAt(value, key);
    const [, first, last] = KEY.exec(key) ?? [];
    if (first === undefined) throw new Error(`has a key "${key}" that is not an id or a range like "52000-52999"`);
    if (last === undefined) ids.set(Number(first), text);
    else if (Number(first) > Number(last)) throw new Error(`has a range "${key}" that is empty`);
    else ranges.push({ first: Number(first), last: Number(last), text });
  }
  // The smallest range that contains an id counts, regardless of the order in the file.
  ranges.sort((a, b) => a.last - a.first - (b.last - b.first));
  return { ids, ranges: [...ranges, ...defaultDiagnosticsTexts.ranges] };
}

function objectIn(file: string): object {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`must be "default" or a readable JSON file: ${errorReason(error)}`, { cause: error });
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new Error('must contain an object');
  return content;
}

function textAt(value: unknown, key: string): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT) return value.trim();
  throw new Error(`needs a text of 1 to ${MAX_TEXT} characters at "${key}"`);
}
