import { filterRow, type CallField, type FilterKind } from '@ringdown/call-catalogue/fields';
import { CALL_FILTERS, type FilterRow } from '@ringdown/call-catalogue/filters';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { Endpoint } from '@ringdown/xml-schemas/record';
import { callDiagnosticsCodes } from '../../calls/quality/call-diagnostics.js';
import { frontEndKey, linkKey, partyKey } from '../../calls/call-keys.js';
import { replacedCallKeys } from '../../calls/life/call-links.js';
import type { Call, MediaPath, Party } from '../../calls/call.js';
import { ipAddress, subnetKey, type IpAddress, type Subnet } from '../../calls/parties/ip-address.js';
import type { MediaFact } from '../../calls/streams/media-facts.js';
import { callPathValues } from './path-keys.js';
import { callHops, hopName } from './hop-keys.js';
import { isTransferred, rangOut } from '../../calls/life/call-outcome.js';
import { callRoles } from '../../calls/parties/call-roles.js';

const CAUSES: readonly string[] = CALL_FILTERS.cause.values;

/** The kinds of keys that calls are found by; a call may have several of each. */
export type SearchKind = FilterKind | 'callId' | 'subnet' | 'replaces' | 'numbers' | 'hiddenNumbers';

export function searchKey(kind: SearchKind, key: string | number): string {
  return `${kind}:${key}`;
}

/** How a value is written in its key. */
const COMPARED: Readonly<Record<NonNullable<FilterRow['compared']>, (value: string) => string>> = {
  caseless: frontEndKey,
  address: partyKey,
  id: linkKey,
  number: (digits) => String(Number(digits)),
};

/** The search key of the calls with this value. */
export function fieldKey(field: CallField, value: string): string {
  const { kind, compared } = filterRow(field);
  return searchKey(kind, compared === undefined ? value : COMPARED[compared](value));
}

/** Calls are found by these subnets of their addresses; for a smaller subnet, the call's addresses are compared. */
const SUBNET_LENGTHS = { 4: [16, 24, 32], 6: [32, 48, 64, 128] } as const;

/** What calls are found by when users are hidden. */
export type Hiding = Pick<IdentityHiding, 'address' | 'field' | 'tokenOfAddress'>;

/** More than any real call has; an invented call must not fill the index. */
const ADDRESS_LIMIT = 64;
const MEDIA_LIMIT = 64;

/**
 * All keys that the call is found by, each once. `addresses`: those of the call. With `hiding`, also by the tokens of
 * its users.
 */
export function searchKeys(call: Call, addresses: readonly IpAddress[], hiding?: Hiding): readonly string[] {
  const errors = call.errors.flatMap(({ code }) => code ?? []);
  const { caller, callees } = callRoles(call);
  return [
    ...new Set([
      ...reportersOf(call).map((name) => searchKey('frontEnd', frontEndKey(name))),
      ...call.pools.map((name) => searchKey('pool', frontEndKey(name))),
      ...addressKeys('user', call.parties, hiding),
      ...addressKeys('caller', caller === undefined ? [] : [caller], hiding),
      ...addressKeys('callee', callees, hiding),
      ...namedKeys('hop', callHops(call), hiding),
      ...namedKeys('refusedBy', [call.end?.refusedBy?.hop ?? []].flat().map(hopName), hiding),
      ...addresses.flatMap(subnetsOf),
      ...linkSearchKeys(call),
      ...replacedCallKeys(call).map((key) => searchKey('replaces', linkKey(key))),
      ...errors.map((code) => searchKey('error', code)),
      ...callDiagnosticsCodes(call).map((code) => searchKey('diagnostics', code)),
      searchKey('coverage', call.coverage),
      ...causeKeys(call),
      ...endKeys(call),
      ...(rangOut(call) ? [searchKey('rangOut', 'true')] : []),
      ...(isTransferred(call) ? [searchKey('transferred', 'true')] : []),
      ...mediaPathsOf(call).map((path) => searchKey('path', path)),
      ...pathKeys(call, hiding),
      ...(hiding === undefined ? [] : hiddenKeys(call, hiding)),
    ]),
  ];
}

/** With `hiding`, also by the tokens of the users. */
function addressKeys(field: CallField, parties: readonly Party[], hiding?: Hiding): readonly string[] {
  const uris = parties.flatMap(({ uri }) => uri ?? []);
  const hidden = hiding === undefined ? [] : uris.flatMap((uri) => [hiding.address(uri), hiding.tokenOfAddress(uri)]);
  return [...uris, ...hidden].map((uri) => fieldKey(field, uri));
}

/** With `hiding`, also in the hidden form. */
function namedKeys(field: CallField, names: readonly string[], hiding?: Hiding): readonly string[] {
  const hidden = hiding === undefined ? [] : names.map((name) => hiding.field(name, field));
  return [...names, ...hidden].map((name) => fieldKey(field, name));
}

/** Those of its streams; where only quality reports are known, theirs. */
function mediaPathsOf({ streams, quality }: Call): readonly MediaPath[] {
  return (streams.length > 0 ? streams : quality).flatMap(({ path }) => path ?? []);
}

/** Only causes that the filter has: thresholds of QUALITY_THRESHOLDS may judge other metrics. */
function causeKeys({ cause, audio }: Call): readonly string[] {
  const causes: readonly string[] = [cause?.metric ?? [], audio?.heard ?? []].flat();
  return [
    ...(audio === null ? [] : [searchKey('audio', audio.heard)]),
    ...causes.filter((name) => CAUSES.includes(name)).map((name) => searchKey('cause', name)),
  ];
}

function endKeys({ end }: Call): readonly string[] {
  if (end === null) return [];
  const { reason, by, code } = end;
  return [
    searchKey('endReason', reason),
    ...(by === null ? [] : [searchKey('endedBy', by)]),
    ...(code === null ? [] : [searchKey('endCode', code)]),
  ];
}

/** With `hiding`, also in the hidden form. */
function pathKeys(call: Call, hiding?: Hiding): readonly string[] {
  return callPathValues(call).flatMap(([kind, text]) => {
    const forms = hiding === undefined ? [text] : [text, hiding.field(text, kind)];
    return forms.map((form) => fieldKey(kind, form));
  });
}

/** Its feeds, and the front ends that their records name beside them. */
function reportersOf({ feeds, frontEnds }: Call): readonly string[] {
  return [...new Set([...feeds, ...frontEnds])];
}

/** Keys from the names and ids that are hidden, in the form that is shown instead. */
function hiddenKeys(call: Call, hiding: Hiding): readonly string[] {
  const hidden = (text: string, field: string): readonly string[] => {
    const shown = hiding.field(text, field);
    return shown === text ? [] : [shown];
  };
  const linkOf = (field: keyof Links): string | null => {
    const id = call[field];
    return id === null ? null : (hidden(id, field)[0] ?? null);
  };
  return [
    ...hidden(call.callId, 'callId').map((mark) => searchKey('callId', mark)),
    ...reportersOf(call)
      .flatMap((name) => hidden(name, 'frontEnd'))
      .map((mark) => searchKey('frontEnd', frontEndKey(mark))),
    ...call.pools.flatMap((name) => hidden(name, 'pool')).map((mark) => searchKey('pool', frontEndKey(mark))),
    ...linkSearchKeys({
      conversationId: linkOf('conversationId'),
      conferenceId: linkOf('conferenceId'),
      correlationId: linkOf('correlationId'),
    }),
  ];
}

/**
 * Keys from what its streams have in common with those of other calls, with the names used in statistics. With
 * `hiding`, also in the hidden form.
 */
export function mediaSearchKeys(facts: readonly MediaFact[], hiding?: Hiding): readonly string[] {
  const keys = new Set<string>();
  const add = (kind: SearchKind, text: string): void => {
    keys.add(searchKey(kind, text));
    if (hiding !== undefined) keys.add(searchKey(kind, hiding.field(text, kind)));
  };
  for (const { medium, codec, connections, userAgents } of facts) {
    if (medium !== null) add('medium', medium);
    if (codec !== null) add('codec', codec);
    for (const kind of connections) add('connection', kind);
    for (const agent of userAgents) add('userAgent', agent);
  }
  return [...keys].slice(0, MEDIA_LIMIT);
}

type Links = Pick<Call, 'conversationId' | 'conferenceId' | 'correlationId'>;

/** The keys by which the calls of one conversation, conference or mediation find each other. */
export function linkSearchKeys({ conversationId, conferenceId, correlationId }: Links): readonly string[] {
  const links = [
    ['conversation', conversationId],
    ['conference', conferenceId],
    ['correlation', correlationId],
  ] as const;
  return links.flatMap(([kind, id]) => (id === null ? [] : searchKey(kind, linkKey(id))));
}

/**
 * The key that all calls with an address in the subnet have; undefined when the subnet is larger than those we keep.
 */
export function subnetSearchKey({ address, length }: Subnet): string | undefined {
  const kept = SUBNET_LENGTHS[address.family].findLast((each) => each <= length);
  return kept === undefined ? undefined : searchKey('subnet', subnetKey({ address, length: kept }));
}

/** All addresses at which its endpoints were reached: their own addresses, those outside a NAT, and relays. */
export function callAddresses({ parties, streams, quality }: Call): readonly IpAddress[] {
  const ends = [...streams, ...quality].flatMap(({ from, to }) => [from ?? [], to ?? []].flat());
  const all = [...parties, ...ends].flatMap(({ ip, hostIp, reflexiveIp }) => [ip, hostIp, reflexiveIp]);
  const relays = ends.map(({ relay }: Endpoint) => relay);
  const known = new Map<string, IpAddress>();
  // The same few addresses are in every part of the call.
  for (const text of new Set([...all, ...relays])) {
    const address = text === undefined ? undefined : ipAddress(text);
    // One IPv6 address has many spellings: its smallest subnet has one.
    const [key] = address === undefined ? [] : subnetsOf(address).slice(-1);
    if (address !== undefined && key !== undefined && known.size < ADDRESS_LIMIT) known.set(key, address);
  }
  return [...known.values()];
}

/** For recently parsed addresses: the same few are in every call of an office. */
const knownSubnets = new WeakMap<IpAddress, readonly string[]>();

function subnetsOf(address: IpAddress): readonly string[] {
  const known = knownSubnets.get(address);
  if (known !== undefined) return known;
  const keys = SUBNET_LENGTHS[address.family].map((length) => searchKey('subnet', subnetKey({ address, length })));
  knownSubnets.set(address, keys);
  return keys;
}
