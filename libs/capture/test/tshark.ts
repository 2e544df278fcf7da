import { findProgram } from '@ringdown/testing/find-program';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PSEUDOWIRE } from './generated-captures.js';

const run = promisify(execFile);
/** Ports and labels that tshark does not know by itself. */
const DECODE_AS = [
  'udp.port==8472,vxlan',
  `mpls.label==${PSEUDOWIRE.withControlWord},pwethcw`,
  `mpls.label==${PSEUDOWIRE.withoutControlWord},pwethnocw`,
];
/** SIP messages of a frame, one after another, have their own lists: no text of them contains this. */
const AGGREGATOR = '\u0001';
const OUTPUT_LIMIT = 256 * 1_024 * 1_024;
const ADVICE = 'these tests compare with tshark. Install it (Debian: apt-get install tshark)';

/** All values of a field in one frame. */
export type Row<Field extends string> = (field: Field) => readonly string[];

/** The fields by which {@link innermostPlace} finds the addresses of a packet. */
export const PLACE_FIELDS = [
  'frame.protocols',
  'ip.src',
  'ip.dst',
  'ipv6.src',
  'ipv6.dst',
  'udp.srcport',
  'udp.dstport',
  'tcp.srcport',
  'tcp.dstport',
  'sctp.srcport',
  'sctp.dstport',
] as const;
type PlaceField = (typeof PLACE_FIELDS)[number];
const FIELDS = [
  ...PLACE_FIELDS,
  'frame.time_epoch',
  'sip.Call-ID',
  'sip.CSeq',
  'sip.Method',
  'sip.Status-Code',
] as const;

/** The frames that match a display filter, with these fields. `options`: more arguments. */
export async function rowsByTshark<Field extends string>(
  file: string,
  filter: string,
  fields: readonly Field[],
  options: readonly string[] = [],
): Promise<readonly Row<Field>[]> {
  const format = ['-E', 'separator=/t', '-E', 'occurrence=a', '-E', `aggregator=${AGGREGATOR}`];
  const columns = fields.flatMap((field) => ['-e', field]);
  const text = await tshark(file, ['-Y', filter, '-T', 'fields', ...options, ...format, ...columns]);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => fieldRow(line, fields));
}

/** One stream of RTP in the table of `-z rtp,streams`; times in milliseconds. */
export interface StreamRow {
  readonly ssrc: number;
  /** Address and port. */
  readonly from: string;
  readonly to: string;
  readonly packets: number;
  readonly lost: number;
  readonly meanJitter: number;
  readonly maxJitter: number;
}

export async function streamsByTshark(file: string): Promise<readonly StreamRow[]> {
  const table = await tshark(file, ['-q', '-z', 'rtp,streams']);
  return table
    .split('\n')
    .filter((line) => line.includes('0x'))
    .map(streamRow);
}

function streamRow(line: string): StreamRow {
  const [, before = '', ssrc = '', rest = ''] = /^(.*)(0x[\dA-Fa-f]{8})\s+(.*)$/.exec(line) ?? [];
  const [, , from, fromPort, to, toPort] = before.trim().split(/\s+/);
  const numbers = rest
    .replaceAll(/\([^)]*\)/g, ' ')
    .split(/\s+/)
    .filter((word) => /^-?\d+(?:\.\d+)?$/.test(word))
    .map(Number);
  const [packets = 0, lost = 0, , , , , meanJitter = 0, maxJitter = 0] = numbers;
  return {
    ssrc: Number(ssrc),
    from: `${from} ${fromPort}`,
    to: `${to} ${toPort}`,
    packets,
    lost,
    meanJitter,
    maxJitter,
  };
}

async function tshark(file: string, args: readonly string[]): Promise<string> {
  const decode = DECODE_AS.flatMap((rule) => ['-d', rule]);
  const all = ['-n', '-r', file, ...decode, ...args];
  const { stdout } = await run(findProgram('tshark', ADVICE), all, { timeout: 120_000, maxBuffer: OUTPUT_LIMIT });
  return stdout;
}

function fieldRow<Field extends string>(line: string, fields: readonly Field[]): Row<Field> {
  const columns = line.split('\t');
  return (field) => (columns[fields.indexOf(field)] ?? '').split(AGGREGATOR).filter((text) => text !== '');
}

/** Address and port of one end. Of tunnels, the innermost: the last of the version and of the transport that come last. */
export function innermostPlace(
  row: Row<PlaceField>,
  end: 'src' | 'dst',
): { readonly ip: string; readonly port: number } {
  const protocols = (row('frame.protocols')[0] ?? '').split(':');
  const version = protocols.findLast((name) => name === 'ip' || name === 'ipv6') === 'ipv6' ? 'ipv6' : 'ip';
  const last = protocols.findLast((name) => name === 'udp' || name === 'tcp' || name === 'sctp');
  const transport = last === 'tcp' || last === 'sctp' ? last : 'udp';
  return { ip: String(row(`${version}.${end}`).at(-1)), port: Number(row(`${transport}.${end}port`).at(-1)) };
}

/** The SIP messages in a capture as tshark reads it, one line of text each. */
export async function messagesByTshark(file: string, isOrdering = true): Promise<readonly string[]> {
  const ordering = ['-o', `tcp.reassemble_out_of_order:${isOrdering ? 'TRUE' : 'FALSE'}`];
  return (await rowsByTshark(file, 'sip', FIELDS, ordering)).flatMap(messagesIn);
}

function messagesIn(row: Row<(typeof FIELDS)[number]>): string[] {
  const [source, destination] = (['src', 'dst'] as const).map((end) => {
    const { ip, port } = innermostPlace(row, end);
    return `${ip} ${port}`;
  });
  const time = Number(row('frame.time_epoch')[0]).toFixed(3);
  // The messages of one segment are all requests or all responses in the captures that are compared.
  const statuses = row('sip.Status-Code');
  const what = statuses.length > 0 ? statuses : row('sip.Method');
  return row('sip.Call-ID').map((callId, n) =>
    [time, source, destination, callId, row('sip.CSeq')[n], what[n]].join(' | '),
  );
}
