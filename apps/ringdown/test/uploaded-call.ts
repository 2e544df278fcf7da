import { ethernet, udp, writePcap } from '@ringdown/capture/test/write-pcap.js';
import { BOB_ANSWERING, request, response, sdp } from '@ringdown/call-capture/test/sip-messages.js';
import { eventually } from '@ringdown/testing/eventually';
import type { SystemClient } from '@ringdown/testing/launched-system';

const ALICE = { ip: '192.0.2.10', port: 5_060 };
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const body = sdp(ALICE.ip, 4_000);
const messages = [
  request('INVITE', { body }),
  response('200 OK', 'INVITE', { body }),
  request('BYE', { cseq: 2, to: BOB_ANSWERING }),
];
/** One call, a minute ago. */
const file = writePcap(
  1,
  messages.map((payload, n) => ({ at: Date.now() - 60_000 + n * 1_000, bytes: ethernet(udp(ALICE, PROXY, payload)) })),
);

/** Uploads a capture with one call, and returns where its report is. */
export async function upload(client: SystemClient, token: string): Promise<string> {
  const headers = { 'content-type': 'application/vnd.tcpdump.pcap' };
  const answer = await client.as(token, '/api/captures', { method: 'POST', body: file, headers });
  if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`);
  return String(answer.headers['location']);
}

export type UploadReport = Partial<Record<string, unknown>>;

export async function reportAt(path: string, client: SystemClient, token: string): Promise<UploadReport> {
  const read: object = JSON.parse((await client.as(token, path)).text);
  return { ...read };
}

/** The report when it has been read, or came to nothing. */
export async function uploaded(client: SystemClient, token: string): Promise<UploadReport> {
  const path = await upload(client, token);
  return eventually('the end of the reader', async () => {
    const read = await reportAt(path, client, token);
    return read['state'] !== 'reading' && read;
  });
}
