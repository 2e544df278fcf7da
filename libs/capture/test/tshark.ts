import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PSEUDOWIRE } from './generated-captures.js';

const run = promisify(execFile);
const FIELDS = [
  'frame.time_epoch',
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
  'sip.Call-ID',
  'sip.CSeq',
  'sip.Method',
  'sip.Status-Code',
] as const;
type Field = (typeof FIELDS)[number];
/** All values of a field in one frame. */
type Row = (field: Field) => readonly string[];
/** Ports and labels that tshark does not know by itself. */
export const DECODE_AS = [
  'udp.port==8472,vxlan',
  `mpls.label==${PSEUDOWIRE.withControlWord},pwethcw`,
  `mpls.label==${PSEUDOWIRE.withoutControlWord},pwethnocw`,
];
/** SIP messages of a frame, one after another, have their own lists: no text of them contains this. */
const AGGREGATOR = '\u0001';

/** The SIP messages in a capture as tshark reads it, one line of text each. */
export async function messagesByTshark(file: string, isOrdering = true): Promise<readonly string[]> {
  const options = [
    '-n',
    '-o',
    `tcp.reassemble_out_of_order:${isOrdering ? 'TRUE' : 'FALSE'}`,
    '-Y',
    'sip',
    '-T',
    'fields',
    ...DECODE_AS.flatMap((rule) => ['-d', rule]),
  ];
  const format = ['-E', 'separator=/t', '-E', 'occurrence=a', '-E', `aggregator=${AGGREGATOR}`];
  const fields = FIELDS.flatMap((field) => ['-e', field]);
  const { stdout } = await run('tshark', ['-r', file, ...options, ...format, ...fields], { timeout: 60_000 });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => messagesIn(rowOf(line)));
}

function rowOf(line: string): Row {
  const columns = line.split('\t');
  return (field) => (columns[FIELDS.indexOf(field)] ?? '').split(AGGREGATOR).filter((text) => text !== '');
}

function messagesIn(row: Row): string[] {
  // Of tunnels, the innermost: the last of the version and of the transport that come last.
  const protocols = (row('frame.protocols')[0] ?? '').split(':');
  const version = protocols.findLast((name) => name === 'ip' || name === 'ipv6') === 'ipv6' ? 'ipv6' : 'ip';
  const last = protocols.findLast((name) => name === 'udp' || name === 'tcp' || name === 'sctp');
  const transport = last === 'tcp' || last === 'sctp' ? last : 'udp';
  const source = `${row(`${version}.src`).at(-1)} ${row(`${transport}.srcport`).at(-1)}`;
  const destination = `${row(`${version}.dst`).at(-1)} ${row(`${transport}.dstport`).at(-1)}`;
  const time = Number(row('frame.time_epoch')[0]).toFixed(3);
  // The messages of one segment are all requests or all responses in the captures that are compared.
  const statuses = row('sip.Status-Code');
  const what = statuses.length > 0 ? statuses : row('sip.Method');
  return row('sip.Call-ID').map((callId, n) =>
    [time, source, destination, callId, row('sip.CSeq')[n], what[n]].join(' | '),
  );
}
