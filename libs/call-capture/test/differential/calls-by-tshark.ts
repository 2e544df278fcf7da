import { findProgram } from '@ringdown/testing';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ObservedCall, ObservedStream } from './observed-call.js';
import type { Side } from './scripted-call.js';

const run = promisify(execFile);
const ADVICE = 'these tests compare with tshark. Install it (Debian: apt-get install tshark)';
const OUTPUT_LIMIT = 256 * 1_024 * 1_024;
const FIELDS = [
  'frame.time_epoch',
  'frame.protocols',
  'ip.src',
  'ip.dst',
  'ipv6.src',
  'ipv6.dst',
  'udp.srcport',
  'udp.dstport',
  'sip.Call-ID',
  'sip.CSeq.method',
  'sip.CSeq.seq',
  'sip.Method',
  'sip.Status-Code',
  'sip.from.addr',
  'sip.to.addr',
  'sip.to.tag',
  'sdp.connection_info.address',
  'sdp.media.port',
  'sdp.media.format',
  'sdp.media_attr',
  'rtcp.ssrc.fraction',
  'rtcp.roundtrip-delay',
] as const;
type Field = (typeof FIELDS)[number];
const AGGREGATOR = '\u0001';
const RESENT = new Set(['401', '407']);

/** One frame with the fields that tshark has found in it. */
interface Row {
  readonly at: number;
  readonly all: (field: Field) => readonly string[];
  readonly first: (field: Field) => string;
}

/**
 * The calls of a capture by the fields of tshark, by Call-ID. The rules are few and read the messages in their order;
 * they share no code with the sender.
 */
export async function callsByTshark(
  file: string,
  decodeAs: readonly string[],
): Promise<ReadonlyMap<string, ObservedCall>> {
  const options = [
    '-n',
    '-r',
    file,
    '-o',
    'rtcp.show_roundtrip_calculation:TRUE',
    '-o',
    'rtcp.roundtrip_min_threshhold:0',
  ];
  const decode = decodeAs.flatMap((rule) => ['-d', rule]);
  const format = ['-E', 'separator=/t', '-E', 'occurrence=a', '-E', `aggregator=${AGGREGATOR}`];
  const fields = FIELDS.flatMap((field) => ['-e', field]);
  const columns = await tshark([...options, ...decode, '-Y', 'sip || rtcp', '-T', 'fields', ...format, ...fields]);
  const streams = await tshark([...options, ...decode, '-q', '-z', 'rtp,streams']);
  const rows = columns
    .split('\n')
    .filter((line) => line !== '')
    .map(rowOf);
  const messages = Map.groupBy(
    rows.filter((row) => row.first('sip.Call-ID') !== ''),
    (row) => row.first('sip.Call-ID'),
  );
  const measured = [...streamsIn(streams), ...reportsIn(rows)];
  const calls = [...messages].filter(([, own]) => own.some(isInvite));
  return new Map(calls.map(([callId, own]) => [callId, callOf(own, measured)]));
}

async function tshark(args: readonly string[]): Promise<string> {
  const { stdout } = await run(findProgram('tshark', ADVICE), [...args], { timeout: 120_000, maxBuffer: OUTPUT_LIMIT });
  return stdout;
}

function rowOf(line: string): Row {
  const columns = line.split('\t');
  const all = (field: Field): readonly string[] =>
    (columns[FIELDS.indexOf(field)] ?? '').split(AGGREGATOR).filter((text) => text !== '');
  const first = (field: Field): string => all(field)[0] ?? '';
  return { at: Number(first('frame.time_epoch')) * 1_000, all, first };
}

function isInvite(row: Row): boolean {
  return row.first('sip.Method') === 'INVITE';
}

function callOf(rows: readonly Row[], measured: readonly Measured[]): ObservedCall {
  const invite = rows.find(isInvite);
  const finals = rows.filter(
    (row) => row.first('sip.CSeq.method') === 'INVITE' && Number(row.first('sip.Status-Code')) >= 200,
  );
  const answer = finals.find((row) => row.first('sip.Status-Code').startsWith('2'));
  const rejection = finals.find((row) => !RESENT.has(row.first('sip.Status-Code')));
  const bye = rows.find((row) => row.first('sip.Method') === 'BYE');
  const described = answer === undefined ? [] : rows.filter((row) => row.first('sdp.media.port') !== '');
  // The caller's descriptions come from where the invitation came from.
  const sides = new Map(
    described.flatMap((row) => {
      const side: Side = invite !== undefined && sourceOf(row) === sourceOf(invite) ? 'caller' : 'callee';
      return mediaAddressesOf(row).map((address) => [address, side] as const);
    }),
  );
  const answered = described.find((row) => row.first('sip.Status-Code').startsWith('2'));
  return {
    caller: identityIn(invite?.first('sip.from.addr')),
    callee: identityIn(invite?.first('sip.to.addr')),
    outcome: answer === undefined ? (rejection?.first('sip.Status-Code') ?? 'open') : 'answered',
    startedAt: answer?.at,
    endedAt: answer === undefined ? rejection?.at : bye?.at,
    codec: answered && codecOf(answered),
    mediaAddresses: [...sides.keys()].toSorted(),
    streams: merged(measured, sides),
  };
}

/** Without parameters, which do not belong to the identity. */
function identityIn(uri = ''): string {
  return uri.split(';', 1)[0] ?? '';
}

function mediaAddressesOf(row: Row): readonly string[] {
  return row.all('sdp.media.port').map((port) => `${row.first('sdp.connection_info.address')} ${port}`);
}

/** The name and clock rate of the first format, by its attribute; tshark lists the formats by name, too. */
function codecOf(row: Row): string | undefined {
  const format = row.all('sdp.media.format').find((text) => /^\d{1,3}$/.test(text));
  const maps = row.all('sdp.media_attr').map((text) => /rtpmap:(\d{1,3}) (\S{1,60})/.exec(text));
  return maps
    .find((match) => match?.[1] === format)?.[2]
    ?.split('/')
    .slice(0, 2)
    .join('/');
}

interface Measured {
  readonly from: string;
  readonly to: string;
  readonly packets: number;
  readonly lost: number;
  /** Milliseconds. */
  readonly jitter: number;
  readonly maxJitter: number;
  /** Of a report about the stream: share, and milliseconds from the capture point to the receiver and back. */
  readonly reportedLoss?: number;
  readonly halfRoundTrip?: number | undefined;
}

/** A row for each stream in the table of `-z rtp,streams`. */
function streamsIn(table: string): Measured[] {
  return table
    .split('\n')
    .filter((line) => line.includes('0x'))
    .map((line) => {
      const [before = '', rest = ''] = line.split(/0x[\dA-Fa-f]{8}/);
      const [, , from = '', fromPort, to = '', toPort] = before.trim().split(/\s+/);
      const numbers = rest
        .replaceAll(/\([^)]*\)/g, ' ')
        .split(/\s+/)
        .filter((word) => /^-?\d+(?:\.\d+)?$/.test(word))
        .map(Number);
      const [packets = 0, lost = 0, , , , , jitter = 0, maxJitter = 0] = numbers;
      // Less than none if the first packets were overtaken.
      return {
        from: `${from} ${fromPort}`,
        to: `${to} ${toPort}`,
        packets,
        lost: Math.max(0, lost),
        jitter,
        maxJitter,
      };
    });
}

/** RTCP goes back along a stream, from and to the ports above those of the stream. */
function reportsIn(rows: readonly Row[]): Measured[] {
  return rows
    .filter((row) => row.first('rtcp.ssrc.fraction') !== '')
    .map((row) => {
      const delay = Number(row.first('rtcp.roundtrip-delay'));
      return {
        from: placeOf(row, 'dst', -1),
        to: placeOf(row, 'src', -1),
        packets: 0,
        lost: 0,
        jitter: 0,
        maxJitter: 0,
        reportedLoss: Number(row.first('rtcp.ssrc.fraction')) / 256,
        halfRoundTrip: delay > 0 ? delay : undefined,
      };
    });
}

function sourceOf(row: Row): string {
  return placeOf(row, 'src', 0);
}

/** Of tunnels, the innermost. `offset`: added to the port. */
function placeOf(row: Row, end: 'src' | 'dst', offset: number): string {
  const protocols = row.first('frame.protocols').split(':');
  const version = protocols.findLast((name) => name === 'ip' || name === 'ipv6') === 'ipv6' ? 'ipv6' : 'ip';
  return `${row.all(`${version}.${end}`).at(-1)} ${Number(row.all(`udp.${end}port`).at(-1)) + offset}`;
}

/** The streams that each side sent, together; of reports, the worst. */
function merged(measured: readonly Measured[], sides: ReadonlyMap<string, Side>): ObservedCall['streams'] {
  const own = measured.filter(({ from, to }) => sides.has(from) && sides.has(to));
  const bySide = Map.groupBy(own, ({ from }) => sides.get(from) ?? 'caller');
  const halves = [...bySide.values()].map((streams) => largest(streams.map(({ halfRoundTrip }) => halfRoundTrip)));
  const [one, other] = halves;
  const roundTrip = one === undefined || other === undefined ? undefined : one + other;
  return Object.fromEntries([...bySide].map(([side, streams]) => [side, { ...joined(streams), roundTrip }]));
}

function joined(streams: readonly Measured[]): Omit<ObservedStream, 'roundTrip'> {
  const sum = (of: (stream: Measured) => number): number => streams.reduce((total, each) => total + of(each), 0);
  const [packets, lost] = [sum((each) => each.packets), sum((each) => each.lost)];
  return {
    loss: lost / Math.max(1, packets + lost),
    jitter: sum((each) => each.jitter * each.packets) / Math.max(1, packets),
    maxJitter: largest(streams.map(({ maxJitter }) => maxJitter)) ?? 0,
    reportedLoss: largest(streams.map(({ reportedLoss }) => reportedLoss)),
  };
}

function largest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
