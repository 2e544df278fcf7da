import { findProgram } from '@ringdown/testing/find-program';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
export const TSHARK_ADVICE = 'this test compares with Wireshark (Debian: apt-get install tshark)';
/** Of one message: addresses, first line, Call-ID, CSeq; and its time, in seconds since 1970. */
const FIELDS = [
  'ip.src',
  'udp.srcport',
  'ip.dst',
  'udp.dstport',
  'sip.Request-Line',
  'sip.Status-Line',
  'sip.Call-ID',
  'sip.CSeq',
  'frame.time_epoch',
  'tcp.srcport',
  'tcp.dstport',
];

/** Otherwise a port that Wireshark knows of another protocol hides the SIP on it, and the ports of a test are any free ones. */
const BY_CONTENT = ['-o', 'udp.try_heuristic_first:TRUE', '-o', 'tcp.try_heuristic_first:TRUE'];

/** A SIP message as Wireshark reads it. */
export interface WireMessage {
  readonly key: string;
  readonly callId: string;
  /** Such as `INVITE sip:…` or `SIP/2.0 200 OK`. */
  readonly firstLine: string;
  readonly at: number;
  readonly transport: 'tcp' | 'udp';
}

export async function messagesIn(file: string): Promise<readonly WireMessage[]> {
  const fields = FIELDS.flatMap((field) => ['-e', field]);
  const options = ['-r', file, ...BY_CONTENT, '-Y', 'sip', '-T', 'fields', '-E', 'separator=|', ...fields];
  const { stdout } = await execute(findProgram('tshark', TSHARK_ADVICE), options, { maxBuffer: 64 * 1_024 * 1_024 });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const parts = line.split('|');
      const [at, ...tcpPorts] = parts.splice(8);
      const transport = parts[1] === '' ? 'tcp' : 'udp';
      parts[1] ||= tcpPorts[0] ?? '';
      parts[3] ||= tcpPorts[1] ?? '';
      const firstLine = `${parts[4] ?? ''}${parts[5] ?? ''}`;
      return { key: parts.join('|'), callId: parts[6] ?? '', firstLine, at: Number(at), transport };
    });
}

/**
 * What was sent from one address to another of one call, in its order: a proxy reports both directions, and several calls, at almost the
 * same time.
 */
export function byDirection(messages: readonly WireMessage[]): Record<string, readonly string[]> {
  const grouped = Map.groupBy(messages, ({ key, callId }) => [...key.split('|', 4), callId].join('|'));
  return Object.fromEntries([...grouped].map(([direction, sent]) => [direction, sent.map(({ key }) => key)]));
}
