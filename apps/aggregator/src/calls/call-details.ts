import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import { isEnd, isError, isInvite, isStream, type Extensions } from '@ringdown/xml-schemas/record';
import { outcomeDiagnostics } from './quality/call-diagnostics.js';
import type { CallDetails, CallRedirect, CallResponse } from './call.js';
import type { DiagnosticsTexts } from './quality/diagnostics-texts.js';
import { reportsOfKind } from './life/event-kinds.js';
import type { FeedRecord } from './feed-record.js';
import { EXTENSIONS_LIMIT } from './parties/merge-endpoints.js';
import { clientTime, isoTime } from './streams/report-source.js';
import type { Timeline } from './life/timeline.js';

/** More than any real call has; an invented one must not become a large call. */
const LIST_LIMIT = 20;

/** Elements of our sender with a field of their own (docs/records.md, "Extensions of our sender"). */
const OWN_ELEMENTS = /^(?:EndedBy|NoMedia|PostDialDelay|RingTime|Redirected(?:From|To)|Transferred(?:To|By))(?:@|$)/;

type Connection = FeedRecord['record']['connection'];
type Draft = { -readonly [K in keyof CallDetails]: CallDetails[K] };

/** Fields of the header that are taken as they are. */
const HEADER_FIELDS = [
  'conferenceUri',
  'connectivity',
  'dialogCategory',
  'appliedBandwidthLimit',
  'mediaBypass',
  'mediationServerLegPosition',
] as const satisfies readonly (keyof Connection & keyof CallDetails)[];

/** What the headers of all records report beside the parties and the media; of several values, the newest. */
export function detailsOf(timeline: Timeline, texts: DiagnosticsTexts): CallDetails {
  const { records, events } = timeline;
  // Filled in one pass, because this is done for every record that arrives.
  const details: Draft = {};
  for (const { record } of records) addHeader(details, record);
  const streams = reportsOfKind(events, isStream);
  const lists = {
    versions: eachOnce(records.map(({ record }) => record.version)),
    originators: eachOnce(records.map(({ record }) => record.connection.originator)),
    responses: responsesOf(timeline, texts),
    redirects: redirectsOf(records),
    replaces: eachOnce(streams.map(({ event }) => event.replaces)),
    referredBy: eachOnce(streams.map(({ event }) => event.referredBy)),
  };
  return Object.assign(details, withoutEmpty(lists), callTransfer(records), furtherOf(timeline));
}

function addHeader(details: Draft, { connection, route }: FeedRecord['record']): void {
  for (const field of HEADER_FIELDS)
    if (connection[field] !== undefined) Object.assign(details, { [field]: connection[field] });
  const [startTime, endTime] = [clientTime(connection.startTime), clientTime(connection.endTime)];
  if (startTime !== undefined) details.startTime = startTime;
  if (endTime !== undefined) details.endTime = endTime;
  if (route !== undefined && route.length > 0) details.route = route;
}

/** Results of requests that are not told as an error or an end: those contain them. */
function responsesOf({ placed }: Timeline, texts: DiagnosticsTexts): readonly CallResponse[] {
  const responses = placed.flatMap(({ record: { record }, at }) => {
    const { outcome, events } = record;
    const isTold = events.some((event) => (isEnd(event) || isError(event)) && event.responseCode === undefined);
    if (outcome === undefined || isTold) return [];
    const { code = null, phrase = null } = outcome.responseCode ?? {};
    return { at: isoTime(at), code, phrase, diagnostics: outcomeDiagnostics([outcome], texts) };
  });
  return responses.slice(0, LIST_LIMIT);
}

function redirectsOf(records: readonly FeedRecord[]): readonly CallRedirect[] {
  const redirects = records.flatMap(({ record: { connection } }) => {
    const { further } = connection;
    if (further === undefined) return [];
    const code = Number(further['RedirectedFrom@Code']);
    const [from, to] = [further['RedirectedFrom'], further['RedirectedTo']];
    if (from === undefined && to === undefined) return [];
    return { from: from ?? null, to: to ?? null, code: Number.isInteger(code) ? code : null };
  });
  const distinct = new Map(redirects.map((redirect) => [JSON.stringify(redirect), redirect]));
  return [...distinct.values()].slice(0, LIST_LIMIT);
}

/** Our sender reports the last transfer with the end of the call. */
function callTransfer(records: readonly FeedRecord[]): Pick<CallDetails, 'transferredTo' | 'transferredBy'> {
  const transfer = records
    .map(({ record }) => record.connection.further ?? {})
    .findLast((further) => further['TransferredTo'] !== undefined);
  const by = transfer?.['TransferredBy'];
  return withoutAbsent({
    transferredTo: transfer?.['TransferredTo'],
    transferredBy: partyNamed(by),
  });
}

function partyNamed(by: string | undefined): CallDetails['transferredBy'] {
  return by === 'Caller' ? 'caller' : by === 'Callee' ? 'callee' : undefined;
}

/** Unknown elements outside of parties, streams, ends, errors and reports: these have their own. */
function furtherOf({ records, events }: Timeline): Pick<CallDetails, 'further'> {
  const all = new Map<string, string>();
  const add = (extensions: Extensions | undefined, holder: string): void => {
    if (extensions === undefined) return;
    for (const [path, text] of Object.entries(extensions)) {
      const isOwn = holder === 'ConnectionInfo' && OWN_ELEMENTS.test(path);
      const whole = holder === '' || path.startsWith('@') ? holder + path : `${holder}/${path}`;
      if (!isOwn && (all.size < EXTENSIONS_LIMIT || all.has(whole))) all.set(whole, text);
    }
  };
  for (const { record } of records) {
    add(record.connection.further, 'ConnectionInfo');
    add(record.further, '');
  }
  for (const { event } of reportsOfKind(events, isInvite)) add(event.further, 'Invite');
  return all.size === 0 ? {} : { further: Object.fromEntries(all) };
}

function eachOnce(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== undefined))].slice(0, LIST_LIMIT);
}

function withoutEmpty<T extends Readonly<Record<string, readonly unknown[]>>>(lists: T): Partial<T> {
  const kept = Object.entries(lists).filter(([, list]) => list.length > 0);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries loses the type of the entries
  return Object.fromEntries(kept) as Partial<T>;
}
