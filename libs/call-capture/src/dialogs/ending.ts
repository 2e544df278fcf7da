import type { Parties, Side } from '../media/agreed-media.js';
import { addressOfRecord } from '../sip/name-address.js';
import type { SipMessage } from '../sip/sip-message.js';
import type { Forks } from './messages/forks.js';
import type { HopTags } from './messages/hop-tags.js';

/** How a BYE, or the response to one, fits a call. */
export type ByeFit =
  /** It has the tags of the dialog. */
  | 'exactly'
  /** A tag is missing or of nobody, but the rest is right: the mistake of its sender, or of a hop that changes tags. */
  | 'likely'
  /** It ends the dialog with another device of a forked call. */
  | 'other device'
  | 'not';

/** A BYE of a call. */
export interface PlacedBye {
  readonly at: number;
  readonly by: Side | undefined;
  /** It follows from its response, or has wrong tags. */
  readonly isAssumed: boolean;
}

/** What a call knows of itself when a BYE comes. */
export interface CallToEnd {
  readonly parties: Parties;
  readonly forks: Forks;
  readonly hopTags: HopTags;
  /** Whether devices that only rang are forgotten by now (RFC 3261, 13.2.2.4: 64 x T1 after the answer). */
  readonly isLongAnswered: boolean;
}

/** A BYE, or a response to one that is final and no challenge. */
export function isEnd({ response }: SipMessage): boolean {
  const { status = 200 } = response ?? {};
  return status >= 200 && status !== 401 && status !== 407;
}

/** The session is over when a BYE is sent, whatever becomes of it (RFC 3261, 15.1.1). */
export function fitOfBye(bye: SipMessage, call: CallToEnd): ByeFit {
  const { caller, callee } = call.parties;
  const tags = [bye.from.tag, bye.to.tag];
  if (tags.every((tag) => call.hopTags.of(tag) !== undefined)) return 'exactly';
  const hasCaller = caller.id === undefined || tags.includes(caller.id);
  const device = deviceAmong(
    tags.filter((tag) => tag !== undefined && tag !== caller.id),
    call,
  );
  if (hasCaller && (callee.id === undefined || device === callee.id)) return 'exactly';
  return device === undefined
    ? 'likely'
    : fitOfDevice(device, call, hasCaller || sideByUri(bye, call.parties) !== undefined);
}

/** The tag that is known, or else the first. */
function deviceAmong(tags: readonly (string | undefined)[], { parties, forks }: CallToEnd): string | undefined {
  const ofCall = tags.find((tag) => forks.isSameDialog(tag, parties.callee.id));
  return ofCall ?? tags.find((tag) => tag !== undefined && forks.has(tag)) ?? tags[0];
}

/** `isOfParties`: a tag or the addresses are those of the call. */
function fitOfDevice(
  device: string,
  { parties: { callee }, forks, isLongAnswered }: CallToEnd,
  isOfParties: boolean,
): ByeFit {
  if (forks.isSameDialog(device, callee.id)) return 'likely';
  const isForked = forks.answeredBesides(callee.id) !== undefined;
  if (forks.has(device)) return isLongAnswered && !isForked ? 'likely' : 'other device';
  return isOfParties && !isForked ? 'likely' : 'not';
}

/** Undefined also if both parties have the same address. */
export function sideByUri({ from, to }: SipMessage, { caller, callee }: Parties): Side | undefined {
  const [sender, receiver] = [addressOfRecord(from.uri), addressOfRecord(to.uri)];
  if (caller.uri === callee.uri) return undefined;
  if (sender === caller.uri && receiver === callee.uri) return 'caller';
  return sender === callee.uri && receiver === caller.uri ? 'callee' : undefined;
}

/** The caller's tag tells more than those of devices. */
export function sideByTags({ from, to }: SipMessage, { parties, forks, hopTags }: CallToEnd): Side | undefined {
  const { caller, callee } = parties;
  const isCallees = (tag: string | undefined): boolean =>
    tag !== undefined && (tag === callee.id || forks.has(tag) || forks.isSameDialog(tag, callee.id));
  if (from.tag === caller.id && caller.id !== undefined) return 'caller';
  if (to.tag === caller.id && caller.id !== undefined) return 'callee';
  const atHop = hopTags.of(from.tag);
  if (atHop) return atHop.side;
  if (isCallees(from.tag)) return 'callee';
  return isCallees(to.tag) ? 'caller' : undefined;
}

/**
 * Who sent a BYE. Phones swap or drop tags, so the addresses, and the Via that its sender wrote, count as much as these: two of the
 * three decide, or the first that there is.
 */
export function senderOfBye(bye: SipMessage, call: CallToEnd, byVia: Side | undefined): Side | undefined {
  const votes = [sideByTags(bye, call), sideByUri(bye, call.parties), byVia].filter((side) => side !== undefined);
  return votes.find((side) => votes.filter((other) => other === side).length > 1) ?? votes[0];
}
