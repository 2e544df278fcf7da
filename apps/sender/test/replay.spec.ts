import { writeHep } from '@ringdown/capture/test/write-hep.js';
import { ethernet, udp, writePcap, writePcapng } from '@ringdown/capture/test/write-pcap.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CALLEE_SDP, CALLER_SDP } from '@ringdown/call-capture/test/played-call.js';
import { sender, type Ended } from './programs.js';
import { RecordingCollector } from '@ringdown/feed-client/test/recording-collector.js';
import { BOB_ANSWERING, request, response } from '@ringdown/call-capture/test/sip-messages.js';
import { rtcpReport } from '@ringdown/call-capture/test/write-rtcp.js';

function hepLine(payload: Buffer, second = 9): string {
  return `2026-01-31T12:00:0${second}.000Z\thep\t${writeHep({ payload }).toString('base64')}`;
}

const HEP_LINES = [
  request('INVITE', { body: CALLER_SDP }),
  response('200 OK', 'INVITE', { body: CALLEE_SDP }),
  request('BYE', { cseq: 2, to: BOB_ANSWERING }),
].map(hepLine);
const ALICE = { ip: '192.0.2.10', port: 5_060 };
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const RECORD =
  '<Diagnostics Version="1.0"><ConnectionInfo><FrontEnd>fe7</FrontEnd><CallId>c7</CallId><CSEQ>9</CSEQ></ConnectionInfo>' +
  '<Ended><EndPoint><Id>a</Id></EndPoint></Ended></Diagnostics>';

describe('ringdown-sender replay', () => {
  let collector: RecordingCollector;
  let folder: string;

  beforeEach(async () => {
    collector = await RecordingCollector.start();
    folder = mkdtempSync(join(tmpdir(), 'ringdown-replay-'));
  });

  afterEach(async () => {
    await collector.stop();
    rmSync(folder, { recursive: true });
  });

  function replay(
    lines: readonly string[],
    env: Readonly<Record<string, string>>,
    ...more: readonly string[]
  ): Promise<Ended> {
    const file = join(folder, 'some.log');
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return sender(['replay', file, '--to', collector.url, '--json', ...more], { FRONT_END: 'fe1', ...env });
  }

  it('sends records of captured packets', async () => {
    const { exitCode, stdout } = await replay(HEP_LINES, {}, '--speed', '0');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ calls: 1, records: 2, recordsFailed: 0, unreadable: 0 });
    const [start, end] = collector.records.map(({ body }) => body);
    expect(start).toContain('<FrontEnd>fe1</FrontEnd>');
    expect(end).toContain('<Ended>');
  });

  it('uses the version that the collector accepts, and reports how many calls 1.0 cannot express', async () => {
    const ringing = [...HEP_LINES, hepLine(request('INVITE', { callId: 'rings', body: CALLER_SDP }))];
    const first = await replay(ringing, {}, '--speed', '0');
    expect(JSON.parse(first.stdout)).toMatchObject({ calls: 1, unreportedCalls: 1 });
    collector.configuration = '<Configuration Version="1.0" AcceptedVersions="1.0 A C D"/>';
    const second = await replay(ringing, {}, '--speed', '0');
    expect(JSON.parse(second.stdout)).toMatchObject({ calls: 2, unreportedCalls: 0 });
    expect(collector.records.at(-1)?.body).toContain('<Diagnostics Version="D">');
    const third = await replay(ringing, { OUTPUT_SCHEMA: '1.0' }, '--speed', '0');
    expect(JSON.parse(third.stdout)).toMatchObject({ unreportedCalls: 1 });
  });

  it('reports failed registrations and the quality reports that count for no call', async () => {
    const lines = [request('REGISTER'), response('403 Forbidden', 'REGISTER')].map(hepLine);
    const stray = writeHep({ type: 5, payload: rtcpReport({ ssrc: 9, about: 8, fractionLost: 0 }) });
    lines.push(`2026-01-31T12:00:09.000Z\thep\t${stray.toString('base64')}`);
    const { stdout } = await replay(lines, {}, '--speed', '0');
    expect(JSON.parse(stdout)).toMatchObject({
      records: 0,
      uncountedReports: { 'unknown call': 1 },
      failedRequestsTotal: 1,
      failedRequests: [{ method: 'REGISTER', status: '403', count: 1 }],
    });
    const text = await sender(['replay', join(folder, 'some.log'), '--to', collector.url, '--speed', '0']);
    expect(text.stdout).toMatch(/1 request outside of calls failed \(1 REGISTER 403, [\d.]+\)/);
  });

  it('reports messages that fit no call by their reason', async () => {
    const strangers = { from: '<sip:m@example.test>;tag=m', to: '<sip:t@example.test>;tag=t' };
    const beginning = writeHep({ payload: request('UPDATE', { callId: 'gone', body: CALLER_SDP }).subarray(0, -60) });
    const lines = [
      request('INVITE', { body: CALLER_SDP }),
      request('BYE', strangers),
      request('ACK', { callId: 'gone' }),
    ];
    const cut = `2026-01-31T12:00:09.000Z\thep\t${beginning.toString('base64')}`;
    const { stdout } = await replay([...lines.map(hepLine), cut], {}, '--speed', '0');
    expect(JSON.parse(stdout)).toMatchObject({
      unplacedMessages: { 'unknown dialog': 1, 'unknown call': 2, cut: 1 },
    });
    const text = await sender(['replay', join(folder, 'some.log'), '--to', collector.url, '--speed', '0']);
    expect(text.stdout).toContain('SIP messages that fit no call: 1 cut, 2 unknown call, 1 unknown dialog');
  });

  it('sends records that were sent before, from the same front end', async () => {
    const { exitCode } = await replay([`2026-01-31T12:00:00Z\trecord\tfe7\tlost\t${RECORD}`], {}, '--speed', '0');
    expect(exitCode).toBe(0);
    expect(collector.records.map(({ body }) => body)).toEqual([RECORD.replace('<CSEQ>9<', '<CSEQ>2<')]);
    expect(collector.received.some(({ body }) => body.includes('<FrontEnd>fe7</FrontEnd><CurrentVersion'))).toBe(true);
  });

  it('posts records together to a collector that reads batches, each with others of its front end, in order', async () => {
    collector.acceptBatches(64);
    const logged = (callId: string, frontEnd: string): string =>
      `2026-01-31T12:00:00Z\trecord\t${frontEnd}\tlost\t${RECORD.replaceAll('fe7', frontEnd).replace('c7', callId)}`;
    const before = ['c1', 'c2', 'c3'].map((callId) => logged(callId, 'fe7'));
    const lines = [...before, ...HEP_LINES, logged('c4', 'fe7'), logged('c5', 'fe8')];
    const { stdout } = await replay(lines, {}, '--speed', '0');
    expect(JSON.parse(stdout)).toMatchObject({ calls: 6, records: 7, frontEnds: 3, recordsFailed: 0 });
    const posts = collector.records.map(({ body }) =>
      body.split('\n').map((each) => /<FrontEnd>(\w+)<.*<CallId>([^<]+)</.exec(each)?.slice(1).join(' ')),
    );
    expect(posts).toEqual([['fe7 c1'], ['fe7 c2', 'fe7 c3'], ['fe1 call-1', 'fe1 call-1'], ['fe7 c4'], ['fe8 c5']]);
  });

  it('rejects text logs with --captures-only', async () => {
    const { exitCode, stdout } = await replay(HEP_LINES, {}, '--captures-only');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).problems).toMatchObject([{ reason: expect.stringContaining('not a packet capture') }]);
    expect(collector.received).toEqual([]);
  });

  it('prints the progress as JSON before the summary', async () => {
    const { stdout } = await replay(HEP_LINES, {}, '--speed', '0', '--json-progress');
    const lines: readonly unknown[] = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines.at(-2)).toMatchObject({ progress: { records: 2 } });
    expect(lines.at(-1)).toMatchObject({ calls: 1, records: 2 });
  });

  it('plays at the original speed or a factor of it', async () => {
    const { stdout } = await replay(HEP_LINES, {}, '--speed', '4');
    expect(JSON.parse(stdout).seconds).toBeGreaterThanOrEqual(0.5);
  });

  it('hides users in captured packets with HIDE_PII', async () => {
    const seed = 'a seed of the replay';
    const { exitCode } = await replay(HEP_LINES, { HIDE_PII: 'on', OBFUSCATION_SEED: seed }, '--speed', '0');
    expect(exitCode).toBe(0);
    const [start = '', end = ''] = collector.records.map(({ body }) => body);
    expect(start).toMatch(/<URI>sip:[\dA-F]{16}@example\.test</);
    expect(start + end).not.toMatch(/alice|bob/);
  });

  it('reports in one line that hiding users needs a seed', async () => {
    const { exitCode, stderr } = await replay(HEP_LINES, { HIDE_PII: 'on' }, '--speed', '0');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^ringdown-sender: OBFUSCATION_SEED: .+\n$/);
    expect(collector.received).toEqual([]);
  });

  it('counts lines that it cannot read, and continues', async () => {
    const wrong = ['hello', '2026-01-31T12:00:00Z\thep\tAAAA', '2026-01-31T12:00:00Z\trecord\tfe7\tlost\t<a>'];
    const { exitCode, stdout } = await replay([...wrong, ...HEP_LINES], {}, '--speed', '0');
    expect(JSON.parse(stdout)).toMatchObject({ records: 2, unreadable: 3 });
    expect(exitCode).toBe(1);
  });

  it.each([
    ['pcap', writePcap],
    ['pcapng', writePcapng],
  ])('sends records of the packets of a %s file', async (name, write) => {
    const rtcp = Buffer.concat([Buffer.from([0x81, 201, 0, 7, 0, 0, 0, 9, 0, 0, 0, 7, 64, 0, 0, 5]), Buffer.alloc(16)]);
    const packets = [
      udp(ALICE, PROXY, request('INVITE', { body: CALLER_SDP })),
      udp(PROXY, ALICE, response('200 OK', 'INVITE', { body: CALLEE_SDP })),
      udp({ ip: '192.0.2.20', port: 5_001 }, { ip: '192.0.2.10', port: 4_001 }, rtcp),
      udp(ALICE, PROXY, request('BYE', { cseq: 2, to: BOB_ANSWERING })),
    ];
    const frames = packets.map((packet, n) => ({ at: 1_760_000_000_000 + n * 1_000, bytes: ethernet(packet) }));
    const file = join(folder, `calls.${name}`);
    writeFileSync(file, write(1, frames));
    const { exitCode, stdout } = await sender(['replay', file, '--to', collector.url, '--json', '--speed', '0']);
    expect(JSON.parse(stdout)).toMatchObject({ calls: 1, records: 3, recordsFailed: 0, unreadable: 0 });
    expect(exitCode).toBe(0);
    const [start, end, quality] = collector.records.map(({ body }) => body);
    expect(start).toContain('<TimeStamp>2025-10-09T08:53:21.0000000Z<');
    expect(end).toContain('<Ended>');
    expect(quality).toContain('<PacketLossRate>0.25<');
  });

  it('sends the quality of a call whose end is not in the capture', async () => {
    const packets = [
      udp(ALICE, PROXY, request('INVITE', { body: CALLER_SDP })),
      udp(PROXY, ALICE, response('200 OK', 'INVITE', { body: CALLEE_SDP })),
      udp(
        { ip: '198.51.100.7', port: 61_001 },
        { ip: '192.0.2.20', port: 5_001 },
        rtcpReport({ ssrc: 1, about: 2, fractionLost: 64 }),
      ),
      udp(PROXY, { ip: '192.0.2.99', port: 9 }, rtcpReport({ ssrc: 3, about: 4, fractionLost: 0 })),
    ];
    const frames = packets.map((packet, n) => ({ at: 1_760_000_000_000 + n * 1_000, bytes: ethernet(packet) }));
    const file = join(folder, 'open.pcap');
    writeFileSync(file, writePcap(1, frames));
    const { exitCode, stdout } = await sender(['replay', file, '--to', collector.url, '--speed', '0']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/: all answered, quality reports that do not count: 1 unknown call\n$/);
    expect(collector.records.at(-1)?.body).toMatch(/<QualityUpdate .*<To><Id>a1<.*<PacketLossRate>0.25</);
  });

  it('sends the records before the truncated end of a capture, and reports it', async () => {
    const frames = [request('INVITE', { body: CALLER_SDP }), response('486 Busy Here', 'INVITE'), request('ACK')].map(
      (payload) => ({ at: 1_760_000_000_000, bytes: udp(ALICE, PROXY, payload) }),
    );
    const file = join(folder, 'cut.pcap');
    writeFileSync(file, writePcap(101, frames).subarray(0, -10));
    const { exitCode, stdout, stderr } = await sender([
      'replay',
      file,
      '--to',
      collector.url,
      '--json',
      '--speed',
      '0',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ calls: 1, records: 1, unreadable: 1 });
    const why = 'a line or packet could not be read: after packet 2: the file is truncated';
    expect([exitCode, stderr]).toEqual([1, `ringdown-sender: ${file}: ${why}\n`]);
  });

  it('plays several files in the order of their times, not of their names', async () => {
    const parts = HEP_LINES.map((line, n) => {
      const file = join(folder, `input-2026-01-31${n === 0 ? '' : `.${n}`}.log`);
      writeFileSync(file, `${line}\n`);
      return file;
    });
    const { stdout } = await sender(['replay', ...parts.toReversed(), '--to', collector.url, '--json', '--speed', '0']);
    expect(JSON.parse(stdout)).toMatchObject({ calls: 1, records: 2, problems: [] });
    expect(collector.records[0]?.body).toContain('<StartOrUpdate');
  });

  it('reports what it could not read in each file, and sends the others', async () => {
    const files = {
      'some.log': `hello\n${HEP_LINES.join('\n')}\n2026-01-31T12:00:00Z\thep\tAAAA\n`,
      'usb.pcap': writePcap(220, [{ at: 1, bytes: Buffer.alloc(60) }]),
      'quiet.pcap': writePcap(101, [{ at: 1, bytes: udp(ALICE, PROXY, Buffer.from('RTP')) }]),
      'none.pcapng': writePcapng(1, []),
      'empty.log': '',
      'packed.log.gz': gzipSync(HEP_LINES.join('\n').replaceAll('2026', '2027')).subarray(0, -20),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const paths = [...Object.keys(files), '.', 'absent'].map((name) => join(folder, name));
    const { exitCode, stdout, stderr } = await sender([
      'replay',
      ...paths,
      '--to',
      collector.url,
      '--speed',
      '0',
      '--json',
    ]);
    const complaints = stderr.replaceAll(`ringdown-sender: ${folder}`, '').trim().split('\n');
    expect(complaints.length).toBe(9);
    expect(complaints).toEqual(
      expect.arrayContaining([
        '/absent: file not found',
        '/empty.log: the file is empty',
        '/none.pcapng: the capture contains no packets',
        '/packed.log.gz: the file is truncated (gzip or zstd)',
        '/quiet.pcap: its only packet contains no readable SIP, RTCP or HEP',
        '/usb.pcap: its only packet contains no readable SIP, RTCP or HEP',
        '/usb.pcap: 1 packet in link type 220 (USB) was not read',
        '/some.log: 2 lines or packets could not be read; the first: line 1: not a line of a sender text log',
        ': this is a folder, not a file',
      ]),
    );
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ calls: 1, records: 2, unreadable: 3 });
  });

  it('connects to no collector when there is nothing to send', async () => {
    const file = join(folder, 'nothing.log');
    writeFileSync(file, '');
    const { exitCode, stdout, stderr } = await sender(['replay', file, '--to', collector.url, '--json']);
    expect([exitCode, stderr]).toEqual([1, `ringdown-sender: ${file}: the file is empty\n`]);
    expect(JSON.parse(stdout)).toMatchObject({
      records: 0,
      problems: [{ file, unreadable: 0, reason: 'the file is empty' }],
    });
    expect(collector.received).toEqual([]);
  });

  it('reads a compressed file', async () => {
    const file = join(folder, 'calls.log.gz');
    writeFileSync(file, gzipSync(HEP_LINES.join('\n')));
    const { exitCode, stdout } = await sender(['replay', file, '--to', collector.url, '--speed', '0']);
    expect(stdout).toMatch(/^2 records of 1 call from 1 front end in [\d.]+ s: all answered\n$/);
    expect(exitCode).toBe(0);
  });
});
