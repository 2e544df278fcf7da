import { ethernet, udp, writePcap } from '@ringdown/capture/test/write-pcap.js';
import { BOB_ANSWERING, request, response, sdp } from '@ringdown/call-capture/test/sip-messages.js';
import { eventually } from '@ringdown/testing/eventually';
import { findProgram } from '@ringdown/testing/find-program';
import { freePorts, launch, running, SystemClient } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { Started } from '@ringdown/testing/started';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const GUIDE = readFileSync(join(ROOT, 'docs/guides/tracing.md'), 'utf8');
const CALL_ID = 'guided';

/** A call of ten seconds that began an hour ago. */
function capture(): Buffer {
  const [alice, proxy] = [
    { ip: '192.0.2.10', port: 5_060 },
    { ip: '192.0.2.1', port: 5_060 },
  ];
  const [at, body] = [Date.now() - 3_600_000, sdp(alice.ip, 4_000)];
  const payloads = [
    request('INVITE', { callId: CALL_ID, body }),
    response('200 OK', 'INVITE', { callId: CALL_ID, body }),
    request('BYE', { callId: CALL_ID, cseq: 2, to: BOB_ANSWERING }),
  ];
  const frames = payloads.map((payload, n) => ({ at: at + n * 5_000, bytes: ethernet(udp(alice, proxy, payload)) }));
  return writePcap(1, frames);
}

describe('the guide to messages of calls', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-tracing-guide-'));
  const started = new Started();
  let client: SystemClient;
  let token: string;

  beforeAll(async () => {
    mkdirSync(join(folder, 'data'));
    await seedDatabase(join(folder, 'data', 'database'));
    const ports = await freePorts();
    await running(started.add(launch({ ...ports, DATA_DIR: join(folder, 'data'), TRACE: 'on' })));
    client = started.add(new SystemClient(join(folder, 'data'), ports));
    token = await client.signIn('carol');
    const headers = { 'content-type': 'application/vnd.tcpdump.pcap' };
    const { status } = await client.as(token, '/api/captures', { method: 'POST', body: capture(), headers });
    expect(status).toBe(202);
    await eventually('the messages of the uploaded capture', async () => {
      const { text } = await client.as(token, `/api/calls/${CALL_ID}/messages`);
      return text.match(/"content":"sip"/g)?.length === 3;
    });
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  it('names requests that are answered as it says', async () => {
    const paths = [...GUIDE.matchAll(/`GET (\/api\/calls\/\{id\}\/messages[.a-z]*)`/g)].map(([, path = '']) => path);
    expect(paths).toHaveLength(3);
    for (const path of paths) {
      const answer = await client.as(token, path.replace('{id}', CALL_ID));
      expect([path, answer.status]).toEqual([path, 200]);
    }
    const found = await client.as(token, `/api/calls/${CALL_ID}/messages.txt?q=bye`);
    expect(found.text.match(/^(INVITE|BYE|SIP)/gm)).toEqual(['BYE']);
  });

  it('has commands that send the messages of a capture, and download those of a call of it as tshark sees them', async () => {
    const [, sending = '', downloading = ''] = GUIDE.split('```sh\n').map((part) => part.split('```', 1)[0]);
    const [, replay = '', file = ''] = /^(TRACE=on npx ringdown-sender replay (\S+) --speed 0)$/m.exec(sending) ?? [];
    const [, callId = ''] = /^ID=(\S+)/m.exec(downloading) ?? [];
    const tshark = dirname(findProgram('tshark', 'this guide uses Wireshark (Debian: apt-get install tshark)'));
    const path = `${process.env['PATH'] ?? ''}:${tshark}`;
    const inShell = async (commands: string, cwd: string): Promise<string> => {
      const env = { PATH: path, HOME: folder, TOKEN: token };
      return (await execute('bash', ['-e', '-c', commands], { cwd, env })).stdout;
    };
    const expected = await inShell(`tshark -r ${file} -Y 'sip.Call-ID == "${callId}"'`, ROOT);
    const messages = messagesIn(expected).length;
    expect(expected).toContain('INVITE');

    const summary = await inShell(`${replay} --to ${client.collector}`, ROOT);
    expect(summary).toMatch(/all answered, \d+ messages of calls stored/);
    await eventually('the messages of the call', async () => {
      const { text } = await client.as(token, `/api/calls/${callId}/messages`);
      return text.match(/"content":"sip"/g)?.length === messages;
    });
    const shown = await inShell(downloading.replaceAll('https://localhost:8443', client.origin), folder);
    expect(messagesIn(shown)).toEqual(messagesIn(expected));
  });
});

/** Of what tshark prints: addresses and first lines. */
function messagesIn(printed: string): readonly string[] {
  const lines = printed.trim().split('\n');
  return lines.map((line) => line.replace(/^ *\d+ +[\d.]+ +/, '').replace(/ (SIP\S*) \d+ /, ' $1 '));
}
