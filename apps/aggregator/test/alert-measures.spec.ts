import { eventually } from '@ringdown/testing/eventually';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AlertRule as ShownRule, Alert } from '@ringdown/answers/alerts';
import type { Call } from '../src/calls/call.js';
import { Surroundings, type Page, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, errorXml, published, reportXml, startXml } from './feed-examples.js';

const WINDOW_SECONDS = 600;
/** When each call began. */
const SECONDS_AGO = 60;

describe('alerts about calls', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  let callCount = 0;
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-measures-'));

  beforeAll(async () => {
    const sites = join(folder, 'sites.json');
    writeFileSync(sites, JSON.stringify({ Oslo: ['10.1.0.0/16'], Bergen: ['10.2.0.0/16'] }));
    around = await Surroundings.start();
    aggregator = await around.startAggregator({ ALERT_SECONDS: '1', SITES_FILE: sites });
    await eventually('readiness', async () => (await aggregator.health.report()).ready);
    await trunkCalls('good', 2, 1);
    await trunkCalls('poor', 1, 1);
    await trunkCalls('rare', 0, 1);
    for (let n = 0; n < 2; n++) {
      await endedCall('fe-good', 30, 4.3, '10.1.0.1');
      await endedCall('fe-noisy', 30, 2, '10.2.0.1');
      await endedCall('fe-short', 3, 4.3, '10.1.0.1');
      await failedCall('fe-failing');
      await muteCall('fe-mute');
    }
  });
  afterAll(async () => {
    await around.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const at = (seconds: number): string => new Date(Date.now() + (seconds - SECONDS_AGO) * 1_000).toISOString();

  async function endedCall(frontEnd: string, seconds: number, mos: number, caller: string): Promise<void> {
    const record = { callId: `call-${++callCount}`, frontEnd };
    const report = reportXml({ ...record, at: at(seconds + 1) }, 'audio', `<RecvListenMOS>${mos}</RecvListenMOS>`);
    const start = startXml({ ...record, at: at(0), addresses: [caller, '192.0.2.20'] });
    const xmls = [start, endXml({ ...record, at: at(seconds) }), report];
    await around.publish(...xmls.map((xml) => published(xml)));
    await around.call(aggregator, record.callId, ({ version }) => version === xmls.length);
  }

  /** Ben hears nothing. */
  async function muteCall(frontEnd: string): Promise<void> {
    const record = { callId: `call-${++callCount}`, frontEnd };
    const report = (packets: number): string =>
      reportXml({ ...record, at: at(31) }, 'audio', `<PacketUtilization>${packets}</PacketUtilization>`);
    const back = report(900).replaceAll('anna', 'other').replaceAll('ben', 'anna').replaceAll('other', 'ben');
    const xmls = [startXml({ ...record, at: at(0) }), endXml({ ...record, at: at(30) }), report(0), back];
    await around.publish(...xmls.map((xml) => published(xml)));
    await around.call(aggregator, record.callId, ({ version }) => version === xmls.length);
  }

  async function failedCall(frontEnd: string): Promise<void> {
    const callId = `call-${++callCount}`;
    await around.publish(published(errorXml({ callId, frontEnd, at: at(0) }).replace('"403"', '"503"')));
    await around.call(aggregator, callId);
  }

  /** Calls to a trunk that are answered, and calls that the trunk refuses. */
  async function trunkCalls(trunk: string, answered: number, failed: number): Promise<void> {
    const gateway = `<Id>gw1</Id><URI>sip:gw@example.test</URI><Trunk>${trunk}</Trunk>`;
    const refused = '<Error><Properties><ResponseCode Code="503">Unavailable</ResponseCode></Properties></Error>';
    const start = `<Start Type="audio"><To>${gateway}</To></Start>`;
    const invite = `<Invite><Caller><Id>anna1</Id></Caller><Callee>${gateway}</Callee></Invite>`;
    for (let n = 0; n < answered + failed; n++) {
      const callId = `${trunk}-${++callCount}`;
      for (const [second, body] of [invite, n < answered ? start : refused].entries()) {
        const header = `<ConnectionInfo><CallId>${callId}</CallId><TimeStamp>${at(second)}</TimeStamp></ConnectionInfo>`;
        await around.publish(published(`<Diagnostics Version="D">${header}${body}</Diagnostics>`));
      }
      await around.call(aggregator, callId, ({ version }) => version === 2);
    }
  }

  async function create(rule: object): Promise<ShownRule> {
    const body = { name: 'Calls', minimumCalls: 2, windowSeconds: WINDOW_SECONDS, ...rule };
    const answer = await aggregator.send<ShownRule>('POST', '/api/alert-rules', around.operator, { body });
    expect(answer.status).toBe(201);
    return answer.body;
  }

  const alertsOf = ({ id }: ShownRule): Promise<readonly Alert[]> =>
    aggregator.all<Alert>(`/api/alerts?limit=100&rule=${id}`, around.plainOperator);
  const firing = (rule: ShownRule): Promise<readonly Alert[]> =>
    eventually('an alert', async () => {
      const alerts = await alertsOf(rule);
      return alerts.length > 0 && alerts;
    });

  it.each([
    ['frontEnd whose MOS is low', { measure: 'mos', limit: 3 }, { frontEnd: 'fe-noisy' }, 2],
    ['frontEnd whose calls have no audio', { measure: 'noAudio', limit: 0.4 }, { frontEnd: 'fe-mute' }, 1],
    ['site whose MOS is low', { measure: 'mos', limit: 3 }, { site: 'Bergen' }, 2],
    ['frontEnd whose calls end with 5xx', { measure: 'serverErrors', limit: 0.4 }, { frontEnd: 'fe-failing' }, 1],
    [
      'frontEnd whose calls are short',
      { measure: 'shortCalls', limit: 0.4, shortSeconds: 5 },
      { frontEnd: 'fe-short' },
      1,
    ],
  ])('are raised for the %s', async (_what, rule, scope, value) => {
    const alerts = await firing(await create({ ...rule, by: Object.keys(scope)[0] }));
    expect(alerts).toMatchObject([{ scope, value, calls: 2, endsAt: null }]);
  });

  it('are raised for a status code, with a link that finds its calls', async () => {
    const rule = await create({ measure: 'serverErrors', limit: 0.4, by: 'endCode' });
    const [alert] = await firing(rule);
    expect(alert?.scope).toEqual({ endCode: '503' });
    const { search } = new URL(alert?.link ?? '');
    const { status, body } = await aggregator.get<Page<Call>>(`/api/calls${search}`, around.plainOperator);
    expect(status).toBe(200);
    expect(new Set(body.items.map(({ end }) => end?.code))).toEqual(new Set([503]));
  });

  it('are raised for calls without audio, with a link that finds them', async () => {
    const [alert] = await firing(await create({ measure: 'noAudio', limit: 0.1 }));
    const { search } = new URL(alert?.link ?? '');
    const { body } = await aggregator.get<Page<Call>>(`/api/calls${search}`, around.plainOperator);
    expect(body.items.map(({ audio }) => audio?.heard)).toEqual(['oneWay', 'oneWay']);
  });

  it('are raised for the trunk whose answer-seizure ratio is low, and resolved', async () => {
    const rule = await create({ measure: 'answerSeizure', by: 'trunk', limit: 0.6 });
    const alerts = await firing(rule);
    expect(alerts).toMatchObject([{ scope: { trunk: 'poor' }, value: 0.5, calls: 2 }]);
    expect(alerts[0]?.summary).toBe(
      'The answer-seizure ratio (trunk poor) is 50 % in 2 calls; the limit is below 60 %.',
    );
    await trunkCalls('poor', 1, 0);
    await eventually('the end', async () => (await alertsOf(rule)).every(({ endsAt }) => endsAt !== null));
  });
});
