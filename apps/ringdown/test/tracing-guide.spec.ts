import { ethernet, udp, writePcap } from '@ringdown/capture/test/write-pcap.js';
import { BOB_ANSWERING, request, response, sdp } from '@ringdown/call-capture/test/sip-messages.js';
import {
  eventually,
  findProgram,
  freePorts,
  launch,
  running,
  seedDatabase,
  Started,
  SystemClient,
} from '@ringdown/testing';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const GUIDE = readFileSync(new URL('../../../../docs/guides/tracing.md', import.meta.url), 'utf8');
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

  it('has commands that download a capture and show its messages', async () => {
    const [, commands = ''] = /```sh\n(.*?)```/s.exec(GUIDE) ?? [];
    expect(commands).toContain('messages.pcap?legs=all');
    const tshark = dirname(findProgram('tshark', 'this guide uses Wireshark (Debian: apt-get install tshark)'));
    const { stdout } = await execute(
      'bash',
      ['-e', '-c', commands.replaceAll('https://localhost:8443', client.origin)],
      {
        cwd: folder,
        env: { PATH: `${process.env['PATH'] ?? ''}:${tshark}`, HOME: folder, TOKEN: token, ID: CALL_ID },
      },
    );
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => /(INVITE|BYE|200 OK)/.exec(line)?.[1])).toEqual(['INVITE', '200 OK', 'BYE']);
  });
});
