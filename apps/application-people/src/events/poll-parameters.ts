import { InterfaceError } from '@ringdown/web-server';
import { reasons } from '@ringdown/hypermedia';
import type { PollSettings } from './channel.js';

export interface PollParameters {
  /** Number of the package that is asked for. */
  readonly ack: number | undefined;
  readonly settings: Partial<PollSettings>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Values outside are taken for the nearest inside: clients ask for 90 seconds and expect events all the same. */
const RANGES: Readonly<Record<keyof PollSettings, readonly [number, number]>> = {
  low: [5, 1_800],
  medium: [5, 1_800],
  timeout: [180, 1_800],
  priority: [0, 1_000_000],
};
const NAMES: readonly (keyof PollSettings)[] = ['low', 'medium', 'timeout', 'priority'];

/**
 * Reads `?ack=&low=&medium=&timeout=&priority=` (web-interface.md, section 7); of what is said several times the last
 * counts, as clients append to links. Throws {@link InterfaceError} for what is no whole number.
 */
export function readPollParameters(parameters: ReadonlyMap<string, readonly string[]>): PollParameters {
  const wrong: { name: string; reason: string }[] = [];
  const number = (name: string): number | undefined => {
    const text = parameters.get(name)?.at(-1)?.trim();
    if (text === undefined || text === '') return undefined;
    if (!/^-?\d{1,15}$/.test(text)) wrong.push({ name, reason: `${name} must be a whole number` });
    return Number(text);
  };
  const ack = number('ack');
  const settings: Partial<Mutable<PollSettings>> = {};
  for (const name of NAMES) {
    const value = number(name);
    const [least, most] = RANGES[name];
    if (value !== undefined) settings[name] = Math.min(most, Math.max(least, value));
  }
  if (wrong.length > 0) {
    const message = wrong.map(({ reason }) => reason).join('; ');
    throw new InterfaceError(reasons.parameterValidationFailure, { message, parameters: wrong });
  }
  return { ack, settings };
}
