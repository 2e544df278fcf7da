import { canonicalName } from '@ringdown/directory';
import { wrongParameter } from '../http/wrong-parameter.js';

const MINUTES = { min: 10, max: 30 } as const;
const MAX_ADDRESS = 250;
const ADDRESS = /^(?:sip:)?[^\s@:;<>]+@[^\s@:;<>]+$/i;

/** Minutes, as a number or as the text of one: it often stands in the query (web-interface.md, section 5). */
export function readDuration(value: unknown): number {
  if (value === undefined || value === null) return MINUTES.min;
  const text = typeof value === 'number' ? String(value) : value;
  const minutes = typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (minutes >= MINUTES.min && minutes <= MINUTES.max) return minutes;
  return wrongParameter('duration', `duration must be a whole number of minutes from ${MINUTES.min} to ${MINUTES.max}`);
}

/** SIP addresses with their scheme, in their canonical form, each once; one alone may stand for a list. */
export function readAddresses(name: string, value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  if (list.length === 0) return wrongParameter(name, `${name} must not be empty`);
  return [...new Set(list.map((item) => readAddress(name, item)))];
}

function readAddress(name: string, value: unknown): string {
  const text = typeof value === 'string' ? canonicalName(value.trim()) : '';
  if (text.length > MAX_ADDRESS || !ADDRESS.test(text)) return wrongParameter(name, `${name} must be SIP addresses`);
  return text.startsWith('sip:') ? text : `sip:${text}`;
}

export function readText(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  return wrongParameter(name, `${name} must be a text`);
}
