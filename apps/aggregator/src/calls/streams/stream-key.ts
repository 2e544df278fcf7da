import type { Parties } from '@ringdown/xml-schemas/record';
import type { PartyTable } from '../parties/party-table.js';

/** One medium in one direction of one call, regardless of which front end reports it. */
export function streamKey({ mediaType, from, to }: Parties, parties: PartyTable): string {
  return `${mediaType ?? ''} ${parties.keyOf(from) ?? '?'}>${parties.keyOf(to) ?? '?'}`;
}
