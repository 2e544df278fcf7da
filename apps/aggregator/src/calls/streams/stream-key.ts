import type { Parties } from '@ringdown/xml-schemas/record';
import type { PartyTable } from '../parties/party-table.js';

/** One medium in one direction of one call, regardless of which front end reports it. */
export function streamKey({ mediaType, from, to }: Parties, parties: PartyTable): string {
  return `${mediaType ?? ''} ${parties.keyOf(from) ?? '?'}>${parties.keyOf(to) ?? '?'}`;
}

/** The key of the same medium in the other direction. */
export function oppositeKey(key: string): string {
  const ends = key.lastIndexOf(' ') + 1;
  return key.slice(0, ends) + key.slice(ends).split('>').toReversed().join('>');
}
