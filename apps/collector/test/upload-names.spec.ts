import {
  readUploadsCheckRequest,
  UPLOAD_TICKET_HEADER,
  UPLOADS_CHECK_PATTERN,
} from '@ringdown/contracts/upload-tickets';
import { SIP_FAILURES_PATH_END } from '@ringdown/contracts/sip-failures';
import { TRACES_PATH_END } from '@ringdown/contracts/traces';
import { Bus } from '@ringdown/nats';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configurationRequest, headerRecord, RunningCollector, startRecord } from './running-collector.js';

const NAME = 'upload~carol~site-7';
const TICKET = 'a-ticket';

describe('names of uploaded captures', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-upload-names-'));
  const started = new Started();
  let nats: TestNats;
  let aggregator: Bus;
  let stopAnswering: () => void;
  let checks = 0;

  beforeAll(async () => {
    nats = started.add(await startNats());
    aggregator = await Bus.connect({ url: nats.url, name: 'aggregator', logger: quietLogger() });
    started.add({ stop: () => aggregator.close() });
  });
  beforeEach(() => {
    checks = 0;
    stopAnswering = aggregator.respond(UPLOADS_CHECK_PATTERN, (request) => {
      checks++;
      return { frontEnd: readUploadsCheckRequest(request).ticket === TICKET ? NAME : null };
    });
  });
  afterEach(() => stopAnswering());
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true });
  });

  async function start(env: Record<string, string> = {}): Promise<RunningCollector> {
    return started.add(await RunningCollector.start(nats.url, env));
  }

  const withTicket = (ticket = TICKET): Record<string, string> => ({ [UPLOAD_TICKET_HEADER]: ticket });

  it('are refused, counted and shown in every place of a record where a front end or pool is named', async () => {
    const collector = await start();
    const bodies = [
      ...[NAME, 'UPLOAD~Carol', ' upload~carol', 'upload~', 'ｕｐｌｏａｄ～carol', '\u200bupload~carol'].map(
        (frontEnd) => startRecord({ frontEnd }),
      ),
      headerRecord('C', `<SourcePool>${NAME}</SourcePool>`),
      headerRecord('D', `<FrontEnds>fe1,${NAME}</FrontEnds>`),
      headerRecord('D', `<FrontEnds>fe1</FrontEnds><Pools>pool1,${NAME}</Pools>`),
      configurationRequest(NAME),
    ];
    for (const body of bodies) {
      const response = await collector.post(body);
      expect([response.status, await response.text()]).toEqual([
        403,
        expect.stringMatching(/<Code>front-end-not-allowed<\/Code><Reason>Names that begin with upload~/),
      ]);
    }
    expect(await collector.metric('ringdown_collector_refused_total{code="front-end-not-allowed"}')).toBe(
      bodies.length,
    );
    await eventually('the refused records', async () => (await collector.rejected()).length === bodies.length);
    expect(await collector.stored()).toEqual([]);
    expect(checks).toBe(0);
  });

  it('are refused for messages and failures of calls', async () => {
    const collector = await start();
    for (const [path, body] of [
      [SIP_FAILURES_PATH_END, { v: 1, id: '8f14e45f-ceea-467f-9b1d-0e1f2a3b4c5d', frontEnd: NAME, failures: [] }],
      [TRACES_PATH_END, { v: 1, frontEnd: NAME, messages: [] }],
    ] as const)
      expect([path, (await collector.postJson(`/Ringdown/${path}`, body)).status]).toEqual([path, 403]);
  });

  it('are accepted with the ticket that an aggregator has issued for exactly this name', async () => {
    const collector = await start();
    const post = async (frontEnd: string, ticket?: string): Promise<number> =>
      (await collector.post(startRecord({ frontEnd, callId: `${frontEnd} ${ticket}` }), withTicket(ticket))).status;
    expect(await post(NAME)).toBe(200);
    expect(await post(NAME)).toBe(200);
    expect(checks).toBe(1);
    expect(await post('upload~alice')).toBe(403);
    expect(await post(NAME, 'another')).toBe(403);
    expect(await post(NAME, 'not a ticket!')).toBe(403);
    expect(await post('fe1.example.test', 'another')).toBe(200);
    const names = (await collector.stored()).map(({ record }) => record.connection.frontEnds);
    expect(names).toEqual([[NAME], [NAME], ['fe1.example.test']]);
  });

  it('need no rule of the operator', async () => {
    const file = join(folder, 'senders.json');
    writeFileSync(file, JSON.stringify({ addresses: { '192.0.2.1': ['fe1'] } }));
    const collector = await start({ COLLECTOR_SENDERS: file });
    expect((await collector.post(startRecord({ frontEnd: NAME }), withTicket())).status).toBe(200);
    expect((await collector.post(startRecord({ frontEnd: NAME }))).status).toBe(403);
  });

  it('are to be sent again while no aggregator answers', async () => {
    const collector = await start();
    stopAnswering();
    const response = await collector.post(startRecord({ frontEnd: NAME }), withTicket());
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await collector.count(startRecord({ frontEnd: 'fe2.example.test' }))).toBe(1);
  });
});
