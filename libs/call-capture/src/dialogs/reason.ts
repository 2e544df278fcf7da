import { diagnosticsValue, parseDiagnostics } from '@ringdown/xml-schemas/fields';
import { separated } from '../sip/separated.js';
import type { SipHeaders } from '../sip/sip-headers.js';

/** One value of a `Reason` header (RFC 3326, 2): `Q.850;cause=17;text="User busy"`. Empty where it has none. */
export interface Reason {
  readonly protocol: string;
  readonly cause: string;
  readonly text: string;
}

const REASON_LIMIT = 16;
/** Non-selected user clearing (ITU-T Q.850): of several phones that rang, another one has the call. */
const NON_SELECTED_USER = '26';
const ELSEWHERE = 'call completed elsewhere';

/** All values: a message has several headers, or several values in one, or both. The headers of Asterisk are similar. */
export function reasonsIn(headers: SipHeaders | undefined): readonly Reason[] {
  if (!headers) return [];
  const written = headers.all('reason').slice(0, REASON_LIMIT);
  const values = written.flatMap((value) => separated(value, REASON_LIMIT)).slice(0, REASON_LIMIT);
  const reasons = values.map(readReason).filter(({ protocol, cause, text }) => `${protocol}${cause}${text}` !== '');
  return reasons.length > 0 ? reasons : asterisk(headers);
}

/**
 * What `SIP;cause=200` repeats in a BYE: the call was answered. It tells of another phone only where it was not (RFC 3326,
 * 3.1), or in these words.
 */
export const ANSWERED = 200;

/**
 * The value that tells most: of another phone that answered, or of preemption (RFC 4411); that of the network (Q.850), which
 * SIP has no words for; and last one that only repeats the status of its response.
 */
export function mainReason(reasons: readonly Reason[], status?: number): Reason | undefined {
  const ranks = reasons.map((reason) => rank(reason, status));
  return reasons[ranks.indexOf(Math.max(...ranks))];
}

/** Another phone has answered (RFC 3326, 3.1): nobody hung up, and nobody missed the call. */
export function isCompletedElsewhere(headers: SipHeaders | undefined): boolean {
  return reasonsIn(headers).some(isElsewhere);
}

export function isElsewhere({ protocol, cause, text }: Reason): boolean {
  // The cause may be left out (RFC 3326, 2).
  if (cause === '' && text.toLowerCase() === ELSEWHERE) return true;
  return (isSip(protocol) && cause === '200') || (isNetworks(protocol) && cause === NON_SELECTED_USER);
}

function rank(reason: Reason, status: number | undefined): number {
  const { protocol, cause, text } = reason;
  const isRepeated = isSip(protocol) && cause === String(status);
  if (isRepeated && text.toLowerCase() !== ELSEWHERE) return 0;
  if (isElsewhere(reason)) return text === '' ? 4 : 5;
  if (/^preemption$/i.test(protocol)) return 3;
  return isNetworks(protocol) ? 2 : 1;
}

export function isSip(protocol: string): boolean {
  return protocol.toUpperCase() === 'SIP';
}

function isNetworks(protocol: string): boolean {
  return /^Q\.?850$/i.test(protocol);
}

function readReason(value: string): Reason {
  const given = parseDiagnostics(`protocol=${value.trim()}`);
  const item = (key: string): string => (diagnosticsValue(given, key) ?? '').trim();
  return { protocol: item('protocol'), cause: item('cause'), text: item('text') };
}

function asterisk(headers: SipHeaders): readonly Reason[] {
  const cause = headers.first('x-asterisk-hangupcausecode');
  return cause === undefined ? [] : [{ protocol: 'Q.850', cause, text: headers.first('x-asterisk-hangupcause') ?? '' }];
}
