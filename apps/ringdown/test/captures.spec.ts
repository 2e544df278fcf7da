import { ethernet, udp, writePcap } from '@ringdown/capture/test/write-pcap.js';
import { BOB_ANSWERING, request, response, sdp } from '@ringdown/call-capture/test/sip-messages.js';
import { rtcpReport } from '@ringdown/call-capture/test/write-rtcp.js';
import { eventually } from '@ringdown/testing/eventually';
import {
  freePorts,
  launch,
  running,
  SystemClient,
  type Answer,
  type LaunchedSystem,
} from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';

const ALICE = { ip: '192.0.2.10', port: 5_060 };
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const LIMIT = 2_000_000;

interface FrontEndItem {
  readonly name: string;
  readonly records: number;
  readonly duplicates: number;
}

interface Report {
  readonly state: string;
  readonly frontEnd: string;
  readonly calls: number | null;
  readonly callIds: readonly string[];
  readonly bytesRead: number;
  readonly records: number;
  readonly unread: readonly { readonly count: number; readonly reason: string }[];
  readonly reason: string | null;
}

/** A call of ten seconds that began an hour ago. */
function capture(callId: string): Buffer {
  const at = Date.now() - 3_600_000;
  const body = sdp(ALICE.ip, 4_000);
  const messages: readonly (readonly [seconds: number, payload: Buffer])[] = [
    [0, request('INVITE', { callId, body })],
    [2, response('200 OK', 'INVITE', { callId, body })],
    [12, request('BYE', { callId, cseq: 2, to: BOB_ANSWERING })],
  ];
  return writePcap(
    1,
    messages.map(([seconds, payload]) => ({
      at: at + seconds * 1_000,
      bytes: ethernet(udp(ALICE, PROXY, payload)),
    })),
  );
}

describe('captures of operators', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-uploads-'));
  const temporary = join(folder, 'tmp');
  let system: LaunchedSystem;
  let client: SystemClient;
  let token: string;

  beforeAll(async () => {
    mkdirSync(temporary);
    const ports = await freePorts();
    await seedDatabase(join(folder, 'data', 'database'));
    system = launch({
      ...ports,
      DATA_DIR: join(folder, 'data'),
      TMPDIR: temporary,
      CAPTURE_MAX_BYTES: String(LIMIT),
      CAPTURE_SECONDS: '20',
    });
    await running(system);
    client = new SystemClient(join(folder, 'data'), ports);
    token = await client.signIn('carol');
  });

  afterAll(async () => {
    await client?.stop();
    await system?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function post(body: Buffer | Readable, query = '', headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const type = { 'content-type': 'application/vnd.tcpdump.pcap' };
    return client.as(token, `/api/captures${query}`, { method: 'POST', body, headers: { ...type, ...headers } });
  }

  async function report(location: string): Promise<Report> {
    const read: Report = JSON.parse((await client.as(token, location)).text);
    return read;
  }

  /** The report of a capture that was accepted, when it has been read. */
  async function result(answer: Answer): Promise<Report> {
    expect(answer.status).toBe(202);
    const location = String(answer.headers['location']);
    return eventually('the end of the reader', async () => {
      const read = await report(location);
      return read.state !== 'reading' && read;
    });
  }

  function stored(): readonly string[] {
    return readdirSync(temporary).flatMap((name) =>
      name.startsWith('ringdown-captures-') ? readdirSync(join(temporary, name)) : [],
    );
  }

  it.each([
    ['plain', (file: Buffer) => file],
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ])('become calls of their own front end: %s', async (kind, packed) => {
    const name = `upload~carol~${kind}`;
    const read = await result(await post(packed(capture(`upload-${kind}`)), `?frontEnd=${kind}`));
    expect(read).toMatchObject({
      state: 'done',
      uploader: 'carol@example.test',
      frontEnd: name,
      calls: 1,
      unread: [],
      reason: null,
    });
    expect(read.bytesRead).toBeGreaterThan(500);
    const call = await eventually('the call', async () => {
      const { text } = await client.as(token, `/api/calls?frontEnd=${name}`);
      const { items }: { readonly items: readonly { readonly callId: string; readonly state: string }[] } =
        JSON.parse(text);
      return items[0]?.state === 'ended' && items[0];
    });
    expect(call.callId).toBe(`upload-${kind}`);
    await eventually('the deletion of the file', () => stored().length === 0);
  });

  it('report the failed registrations and the quality reports that count for no call', async () => {
    const at = Date.now() - 3_600_000;
    const messages = [
      request('REGISTER'),
      response('403 Forbidden', 'REGISTER'),
      request('REGISTER', { cseq: 2 }),
      response('200 OK', 'REGISTER', { cseq: 2 }),
    ];
    const sip = messages.map((payload, n) =>
      ethernet(udp(n % 2 === 0 ? ALICE : PROXY, n % 2 === 0 ? PROXY : ALICE, payload)),
    );
    const rtcp = ethernet(
      udp({ ...ALICE, port: 9_001 }, { ...PROXY, port: 9_003 }, rtcpReport({ ssrc: 9, about: 8, fractionLost: 0 })),
    );
    const bytes = writePcap(
      1,
      [...sip, rtcp].map((frame, n) => ({ at: at + n, bytes: frame })),
    );
    expect(await result(await post(bytes, '?frontEnd=registrar'))).toMatchObject({
      state: 'done',
      code: null,
      calls: 0,
      uncountedReports: { 'unknown call': 1 },
      succeededRegistrations: 1,
      failedRequestsTotal: 1,
      failedRequests: [{ method: 'REGISTER', status: '403', peer: ALICE.ip, count: 1 }],
    });
  });

  it('have a front end named after the operator by default', async () => {
    expect(await result(await post(capture('by-carol')))).toMatchObject({ state: 'done', frontEnd: 'upload~carol' });
  });

  it('contain the calls before the end of a file that was cut off', async () => {
    const whole = capture('cut-off');
    const read = await result(await post(whole.subarray(0, -20)));
    expect(read).toMatchObject({ state: 'done', calls: 1 });
    expect(read.unread[0]?.reason).toContain('after packet 2');
  });

  it.each([
    ['not a capture', Buffer.from('this is text'), /plain text, and neither a packet capture/],
    ['a log of a sender', Buffer.from('2026-01-31T12:00:00.000Z\trecord\tfe1\tok\t<Diagnostics/>\n'), /not a packet/],
    ['binary data', Buffer.alloc(5_000), /neither a packet capture/],
    ['damaged gzip', Buffer.concat([gzipSync(Buffer.alloc(99)).subarray(0, 12), Buffer.alloc(50)]), /\w/],
    ['a gzip bomb', gzipSync(Buffer.alloc(500_000_000)), /neither a packet capture/],
    ['no calls', writePcap(1, []), /no packets/],
  ])('fail with a reason: %s', async (_what, body, reason) => {
    const read = await result(await post(body));
    expect(read.state).toBe('failed');
    expect(read.reason).toMatch(reason);
    await eventually('the deletion of the file', () => stored().length === 0);
  });

  it('are rejected when they are too large', async () => {
    expect((await post(Buffer.alloc(LIMIT + 1))).status).toBe(413);
    await eventually('the deletion of the file', () => stored().length === 0);
  });

  it('may arrive in chunks, until they are too large', async () => {
    const whole = capture('in-chunks');
    const read = await result(await post(Readable.from([whole.subarray(0, 99), whole.subarray(99)])));
    expect(read).toMatchObject({ state: 'done', calls: 1, callIds: ['in-chunks'] });
    const chunks = Array.from({ length: LIMIT / 50_000 + 1 }, () => Buffer.alloc(50_000));
    expect((await post(Readable.from(chunks))).status).toBe(413);
    await eventually('the deletion of the file', () => stored().length === 0);
  });

  it('leave nothing when the client aborts the upload', async () => {
    const aborted = post(Readable.from(abortedBody()), '', { 'content-length': '1000000' });
    await eventually('the file', () => stored().length > 0);
    await expect(aborted).rejects.toThrow('the client is gone');
    await eventually('the deletion of the file', () => stored().length === 0);
    expect(await result(await post(capture('after-abort')))).toMatchObject({ state: 'done', calls: 1 });
  });

  it('are the same calls when they are sent twice', async () => {
    const file = capture('twice');
    for (let n = 0; n < 2; n++) await result(await post(file, '?frontEnd=twice'));
    const read = async (): Promise<FrontEndItem | undefined> => {
      const { items }: { readonly items: readonly FrontEndItem[] } = JSON.parse(
        (await client.as(token, '/api/front-ends')).text,
      );
      return items.find(({ name }) => name === 'upload~carol~twice');
    };
    const seen = await eventually('both', async () => {
      const item = await read();
      return item !== undefined && item.duplicates >= item.records && item;
    });
    expect(seen.duplicates).toBe(seen.records);
  });

  it('are rejected with a wrong name or type, and without the role', async () => {
    for (const name of ['', 'a%20b', '.a', 'x'.repeat(65), '%3Ca%3E']) {
      expect((await post(capture('x'), `?frontEnd=${name}`)).status).toBe(400);
    }
    const wrongType = await post(capture('x'), '', { 'content-type': 'multipart/form-data; boundary=x' });
    expect(wrongType.status).toBe(415);
    expect(wrongType.text).toContain('one of application/vnd.tcpdump.pcap, application/octet-stream');
    expect((await client.request('/api/captures', { method: 'POST', body: capture('x') })).status).toBe(401);
    const alice = await client.signIn('alice');
    expect((await client.as(alice, '/api/captures', { method: 'POST', body: capture('x') })).status).toBe(403);
  });

  it('are forgotten when they are deleted', async () => {
    const answer = await post(capture('deleted'));
    const location = String(answer.headers['location']);
    expect((await client.as(token, location, { method: 'DELETE' })).status).toBe(204);
    expect((await client.as(token, location)).status).toBe(404);
    expect((await client.as(token, '/api/captures/unknown', { method: 'DELETE' })).status).toBe(404);
    // The next one has room.
    await eventually('room', async () => (await post(capture('next'))).status === 202);
  });
});

async function* abortedBody(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(500);
  await pause(1_000);
  throw new Error('the client is gone');
}
