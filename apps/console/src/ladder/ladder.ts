import type { Call, CallMessage, TimelineItem } from '../api/answers.js';
import { shownSipAddress } from '../parts/format.js';
import { Columns, type LadderColumn } from './columns.js';
import { eventLabel, hasDirection, isFailure, isReport, eventParties } from './record-events.js';
import { sipMessageLabel, readSipMessage } from './sip-message.js';
import { texts } from '../texts/ladder.js';

export type RowKind = 'request' | 'response' | 'rtcp' | 'event' | 'report';

/** One arrow, or one fact about the call, at one time. */
export interface LadderRow {
  readonly key: string;
  /** Milliseconds since 1970, with fractions. */
  readonly at: number;
  readonly kind: RowKind;
  readonly label: string;
  readonly level: 'plain' | 'good' | 'poor' | 'bad' | 'faint';
  /** Numbers of columns; undefined for an event of the call as a whole. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** False: a line without an arrow head, for parties without a direction. */
  readonly isArrow: boolean;
  /** Undefined for a record of the call that the ladder is about. */
  readonly callId: string | undefined;
  /** What the row was drawn from, to open it. */
  readonly message: CallMessage | undefined;
  readonly item: TimelineItem | undefined;
}

export interface Ladder {
  readonly columns: readonly LadderColumn[];
  /** In the order of their times. */
  readonly rows: readonly LadderRow[];
  /** The earlier description of the same side on the same hop, by the id of a message that has one. */
  readonly previousDescriptions: ReadonlyMap<string, string>;
}

/** The records of a related call: another leg of it. */
export interface RelatedRecords {
  readonly callId: string;
  readonly items: readonly TimelineItem[];
}

/** What the ladder shows of the call as a whole. */
export type LadderCall = Pick<Call, 'audio' | 'startedAt'>;

const NO_CALL: LadderCall = { audio: null, startedAt: null };

/** What is drawn: messages of the call and its legs in the order of their times, and the records of both. */
export interface LadderContent {
  /** Of the call that the ladder is about. */
  readonly callId: string;
  readonly messages: readonly CallMessage[];
  readonly items: readonly TimelineItem[];
  readonly related?: readonly RelatedRecords[] | undefined;
  readonly call?: LadderCall | undefined;
}

/** Messages and records of a call and its legs on one time axis, between the addresses really involved: its own at the left. */
export function callLadder(content: LadderContent): Ladder {
  const { callId: own, messages, items, related = [], call = NO_CALL } = content;
  const columns = new Columns(messages);
  for (const message of messages.filter((each) => !isOfOther(each, own))) messageEnds(message, columns);
  const described = new Map<string, string>();
  const previousDescriptions = new Map<string, string>();
  const seen = new Set<string>();
  const drawn = messages.map((message) => {
    const text = message.text ?? '';
    const hop = `${message.callId.toLowerCase()} ${message.source.ip} ${message.destination.ip}`;
    const sip = message.content === 'sip' ? readSipMessage(text) : undefined;
    if (sip?.hasDescription === true) {
      const before = described.get(hop);
      if (before !== undefined) previousDescriptions.set(message.id, before);
      described.set(hop, sip.body);
    }
    const again = `${hop} ${message.source.port} ${message.destination.port} ${text}`;
    const isAgain = sip !== undefined && seen.has(again);
    seen.add(again);
    const label =
      sip === undefined ? rtcpLabel(message) : isAgain ? texts.again(sipMessageLabel(sip)) : sipMessageLabel(sip);
    const ends = messageEnds(message, columns);
    const kind: RowKind = sip === undefined ? 'rtcp' : sip.code === undefined ? 'request' : 'response';
    const level = sip === undefined ? 'faint' : levelOfCode(sip.code);
    const at = preciseTime(message.at);
    const { id: key, callId } = message;
    return { key, at, kind, label, level, ...ends, isArrow: true, callId, message, item: undefined };
  });
  const all = [{ callId: undefined, items }, ...related];
  const events = all.flatMap((each) => each.items.flatMap((item) => rowsOfItem(item, columns, each.callId)));
  const audio = audioRow(call, columns);
  const rows = [...drawn, ...events, ...(audio === undefined ? [] : [audio])].toSorted((a, b) => a.at - b.at);
  return { columns: columns.all, rows, previousDescriptions };
}

/** Of a call without audio, the moment from which one side could not hear the other. */
function audioRow({ audio, startedAt }: LadderCall, columns: Columns): LadderRow | undefined {
  if (!audio || startedAt === null) return undefined;
  const [from, to] = [audio.from, audio.to].map((uri) => (uri === null ? undefined : columns.ofEndpoint({ uri })));
  const speaker = shownSipAddress(audio.from ?? undefined) || texts.unknown;
  const label = audio.heard === 'silent' ? texts.noAudio.silent : texts.noAudio.oneWay(speaker);
  const about = { callId: undefined, message: undefined, item: undefined };
  return {
    key: 'audio',
    at: preciseTime(startedAt),
    kind: 'event',
    label,
    level: 'bad',
    from,
    to,
    isArrow: false,
    ...about,
  };
}

/**
 * The row that explains a failed call: its first response of an error that is not a challenge, or else its first error; of a
 * leg only if the call has none of its own. -1 without a failure.
 */
export function firstFailure(rows: readonly LadderRow[], callId: string): number {
  const bad = rows.flatMap((row, index) => (row.level === 'bad' ? { row, index } : []));
  const own = bad.filter(({ row }) => !isOfOther(row, callId));
  const candidates = own.length > 0 ? own : bad;
  return (candidates.find(({ row }) => row.kind === 'response') ?? candidates[0])?.index ?? -1;
}

function messageEnds({ source, destination }: CallMessage, columns: Columns): { from: number; to: number } {
  return { from: columns.ofAddress(source), to: columns.ofAddress(destination) };
}

/** Whether a row is of another call than the ladder. */
export function isOfOther({ callId: own }: Pick<LadderRow, 'callId'>, callId: string): boolean {
  return own !== undefined && own.toLowerCase() !== callId.toLowerCase();
}

function rowsOfItem(item: TimelineItem, columns: Columns, callId: string | undefined): readonly LadderRow[] {
  const base = { at: preciseTime(item.at), callId, message: undefined, item };
  if (item.events.length === 0) {
    const nothing = { from: undefined, to: undefined, isArrow: false };
    return [{ ...base, key: item.recordId, kind: 'event', label: texts.headerOnly, level: 'faint', ...nothing }];
  }
  return item.events.map((event, index) => {
    const [from, to] = eventParties(event).map((endpoint) => columns.ofEndpoint(endpoint));
    return {
      ...base,
      key: `${item.recordId} ${index}`,
      kind: isReport(event) ? 'report' : 'event',
      label: eventLabel(event),
      level: isFailure(event) ? 'bad' : 'plain',
      from,
      to,
      isArrow: hasDirection(event),
    };
  });
}

/** Microseconds count: messages follow each other within one millisecond. */
function preciseTime(iso: string): number {
  const whole = Date.parse(iso);
  const dot = iso.indexOf('.');
  const beyond = dot === -1 ? Number.NaN : Number(iso.slice(dot + 4, -1));
  return Number.isFinite(beyond) ? whole + beyond / 1_000 : whole;
}

const CHALLENGES: ReadonlySet<number> = new Set([401, 407]);

function levelOfCode(code: number | undefined): LadderRow['level'] {
  if (code === undefined) return 'plain';
  if (code < 200) return 'faint';
  if (code < 300) return 'good';
  return code < 400 || CHALLENGES.has(code) ? 'poor' : 'bad';
}

const RTCP_TYPES: Readonly<Record<number, string>> = texts.rtcpTypes;

function rtcpLabel({ bytes }: CallMessage): string {
  // The second byte is in the first four digits of base64.
  const second = bytes === null ? 0 : atob(bytes.slice(0, 4)).charCodeAt(1);
  return RTCP_TYPES[second] ?? texts.rtcpPacket;
}
