import type { Call } from '../src/calls/call.js';
import type { MetricCounts } from '../src/store/statistics/metric-statistics.js';
import type { Counts } from '../src/store/statistics/statistics.js';
import { Surroundings, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { published } from './feed-examples.js';

const DEVICES =
  '<CaptureDevice>Headset 7</CaptureDevice><CaptureDeviceDriver>usb 3</CaptureDeviceDriver><RenderDevice>Speaker</RenderDevice>';
const END =
  '<Relay>192.0.2.200</Relay><Trunk>Trunk1</Trunk><TenantId>a0b1</TenantId><SSID>Office</SSID><BSSID>0a-0b-0c</BSSID><MACAddr>AA:bb</MACAddr><OS>Windows 11</OS><WifiDriverDeviceDesc>AX 201</WifiDriverDeviceDesc><VPN>true</VPN><Inside>false</Inside><LinkSpeed>54000000</LinkSpeed><DSCPOutbound>46</DSCPOutbound>';

function record(callId: string, minute: number, header: string, events: string): string {
  return `<Diagnostics Version="D"><ConnectionInfo><CallId>${callId}</CallId><FrontEnds>fe1</FrontEnds>
    <TimeStamp>2026-03-02T10:0${minute}:00Z</TimeStamp>${header}</ConnectionInfo>${events}</Diagnostics>`;
}

function side(name: string, more = ''): string {
  return `<Id>${name}1</Id><URI>sip:${name}@example.test</URI><IP>10.0.0.1</IP>${more}`;
}

/** A report of one direction. */
function report(from: string, properties: string): string {
  return `<QualityUpdate Type="audio"><From>${from}</From><To>${side('ben')}</To><Properties>${properties}</Properties></QualityUpdate>`;
}

describe('calls by their end, setup, path and devices', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator({ IDENTITY_SEED: 'seed of these very tests' });
    const invite = `<Invite><Caller>${side('anna')}</Caller><Callee>${side('ben')}</Callee></Invite>`;
    const start = `<Start Type="audio"><From>${side('anna')}</From><To>${side('ben')}</To></Start>`;
    const bye = `<Bye><EndPoint>${side('anna')}</EndPoint></Bye>`;
    const times = '<RingTime>2500</RingTime><PostDialDelay>400</PostDialDelay>';
    const busy = `<Error><EndPoint>${side('anna')}</EndPoint><Properties><ResponseCode>486</ResponseCode></Properties></Error>`;
    await around.publish(
      published(record('relayed', 0, '', invite)),
      published(record('relayed', 1, times, start)),
      published(record('relayed', 2, '<MediaBypass>true</MediaBypass><EndedBy>Callee</EndedBy>', bye)),
      published(record('relayed', 3, '<Connectivity>DIRECT</Connectivity>', report(side('anna', END), DEVICES))),
      published(record('direct', 4, '', start)),
      published(record('direct', 5, '<Connectivity>DIRECT</Connectivity>', report(side('anna'), ''))),
      published(record('busy', 6, '', invite)),
      published(record('busy', 7, '<EndedBy>Caller</EndedBy>', busy)),
    );
    const versions = { relayed: 4, direct: 2, busy: 2 };
    for (const [callId, version] of Object.entries(versions))
      await around.call(aggregator, callId, (call) => call.version === version);
  });
  afterAll(() => around.stop());

  const idsOf = async (query: string, operator = around.operator): Promise<readonly string[]> => {
    const { body } = await aggregator.get<Page<Call>>(`/api/calls?sort=oldest&${query}`, operator);
    return body.items.map(({ callId }) => callId);
  };

  it.each([
    ['endReason=ended', ['relayed']],
    ['endReason=ended,error', ['relayed', 'busy']],
    ['endedBy=callee', ['relayed']],
    ['endedBy=caller', ['busy']],
    ['endCode=486,0503', ['busy']],
    ['not.endReason=ended', ['direct', 'busy']],
    ['not.endReason=ended&not.endCode=486', ['direct']],
    ['not.path=relay&not.path=direct', ['busy']],
    ['ssid=OFFICE&ssid=other', ['relayed']],
    ['device=speaker&not.ssid=elsewhere', ['relayed']],
    ['device=speaker&device=other&not.device=other', ['relayed']],
    ['not.user=anna@example.test', []],
    ['minDurationSeconds=60', ['relayed']],
    ['maxDurationSeconds=86400', ['relayed']],
    ['minDurationSeconds=61', []],
    ['path=relay', ['relayed']],
    ['path=direct', ['direct']],
    ['device=headset%207', ['relayed']],
    ['device=Speaker', ['relayed']],
    ['os=windows%2011', ['relayed']],
    ['relay=192.0.2.200', ['relayed']],
    ['trunk=TRUNK1', ['relayed']],
    ['tenantId=A0B1', ['relayed']],
    ['ssid=office', ['relayed']],
    ['bssid=0A-0B-0C', ['relayed']],
    ['mac=aa:bb', ['relayed']],
    ['driver=ax%20201', ['relayed']],
    ['driver=USB%203&driver=other', ['relayed']],
    ['vpn=true', ['relayed']],
    ['vpn=false', []],
    ['vpn=true,false', ['relayed']],
    ['not.vpn=true', ['direct', 'busy']],
    ['inside=false', ['relayed']],
    ['mediaBypass=true', ['relayed']],
    ['dscp=046', ['relayed']],
    ['dscp=0', []],
    ['minLinkSpeed=54000000&maxLinkSpeed=54000000', ['relayed']],
    ['minLinkSpeed=54000001', []],
    ['maxLinkSpeed=1000000000', ['relayed']],
    ['minRingSeconds=2.5', ['relayed']],
    ['minRingSeconds=2.6', []],
    ['maxPostDialSeconds=0.4', ['relayed']],
    ['minSetupSeconds=60&maxSetupSeconds=60', ['relayed']],
    ['invitedFrom=2026-03-02T10:06:00Z', ['busy']],
    ['invitedTo=2026-03-02T10:05:00Z', ['relayed']],
    ['runningFrom=2026-03-02T10:02:00Z&runningTo=2026-03-02T10:03:00Z', ['relayed']],
    ['runningFrom=2026-03-02T10:02:30Z&runningTo=2026-03-02T10:04:00Z', ['direct']],
    ['runningTo=2026-03-02T10:03:59Z', ['relayed']],
    ['runningFrom=2026-03-02T10:02:01Z', ['direct', 'busy']],
  ])('are found by %s', async (query, callIds) => {
    expect(await idsOf(query)).toEqual(callIds);
  });

  it.each([
    'endReason=x',
    'endedBy=x',
    'endCode=x',
    'path=x',
    'minRingSeconds=-1',
    'maxRingSeconds=1e3',
    'ssid=',
    'vpn=yes',
    'vpn=true&not.vpn=true',
    'dscp=ef',
    'minLinkSpeed=1e9',
    'minLinkSpeed=2&maxLinkSpeed=1',
    'runningFrom=2026-03-02T10:05:00Z&runningTo=2026-03-02T10:04:00Z',
  ])('are not found by %s', async (query) => {
    expect((await aggregator.get<Problem>(`/api/calls?${query}`, around.operator)).status).toBe(400);
  });

  it('are not found by an empty range', async () => {
    const path = '/api/calls?minRingSeconds=2&maxRingSeconds=1';
    expect((await aggregator.get<Problem>(path, around.operator)).status).toBe(400);
  });

  it('show the path of each report to all operators, by the relays of its ends and what the sender reports', async () => {
    for (const operator of [around.operator, around.plainOperator]) {
      const pathsOf = async (callId: string): Promise<unknown> => {
        const { body } = await aggregator.get<Call>(`/api/calls/${callId}`, operator);
        return body.quality.map(({ connectivity, path }) => [connectivity, path]);
      };
      expect(await pathsOf('relayed')).toEqual([['DIRECT', 'relay']]);
      expect(await pathsOf('direct')).toEqual([['DIRECT', 'direct']]);
    }
  });

  it('are found by what is shown where users are hidden, and not by what is hidden', async () => {
    const { body } = await aggregator.get<Call>('/api/calls/relayed', around.plainOperator);
    const shown = body.parties.find(({ ssid }) => ssid !== undefined)?.ssid ?? '';
    expect(shown).toMatch(/^hidden-/);
    expect(await idsOf(`ssid=${shown}`, around.plainOperator)).toEqual(['relayed']);
    for (const hidden of ['ssid=office', 'not.ssid=office', `ssid=${shown}&ssid=office`])
      expect((await aggregator.get<Problem>(`/api/calls?${hidden}`, around.plainOperator)).status).toBe(403);
  });

  it.each([
    ['endReason', { ended: 1, error: 1, '': 1 }],
    ['endedBy', { callee: 1, caller: 1, '': 1 }],
    ['endCode', { '486': 1, '': 2 }],
    ['errorCode', { '486': 1, '': 2 }],
    ['path', { relay: 1, direct: 1, '': 1 }],
    ['pool', { '': 3 }],
    ['device', { 'headset 7': 1, speaker: 1, '': 2 }],
    ['os', { 'windows 11': 1, '': 2 }],
    ['relay', { '192.0.2.200': 1, '': 2 }],
    ['trunk', { trunk1: 1, '': 2 }],
    ['tenantId', { a0b1: 1, '': 2 }],
    ['ssid', { office: 1, '': 2 }],
    ['bssid', { '0a-0b-0c': 1, '': 2 }],
    ['driver', { 'usb 3': 1, 'ax 201': 1, '': 2 }],
    ['dscp', { '46': 1, '': 2 }],
    ['vpn', { true: 1, '': 2 }],
    ['inside', { false: 1, '': 2 }],
    ['mediaBypass', { true: 1, '': 2 }],
  ])('are counted by %s', async (by, expected) => {
    const time = 'from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z&bucketSeconds=86400';
    const { body } = await aggregator.get<Counts>(`/api/statistics/streams?${time}&by=${by}`, around.operator);
    expect(Object.fromEntries(body.items.map(({ value, calls }) => [value ?? '', calls]))).toEqual(expected);
  });

  it.each(['endCode', 'errorCode'])('are counted by %s for operators who do not see users', async (by) => {
    const time = 'from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z&bucketSeconds=86400';
    const { body } = await aggregator.get<Counts>(`/api/statistics/streams?${time}&by=${by}`, around.plainOperator);
    expect(body.items.map(({ value }) => value)).toContain('486');
  });

  it.each(['streams', 'metrics'])('are compared with the period before in %s', async (which) => {
    const hours = { now: ['10:06:00', '10:12:00'], before: ['10:00:00', '10:06:00'] };
    const [from, to] = hours.now.map((time) => `2026-03-02T${time}Z`);
    const query = `from=${from}&to=${to}&by=endReason&compare=before&metric=ringSeconds`.replace(
      which === 'streams' ? '&metric=ringSeconds' : '',
      '',
    );
    const { body, status } = await aggregator.get<
      Counts & { before: { from: string; to: string; items: Counts['items'] } }
    >(`/api/statistics/${which}?${query}`, around.operator);
    expect(status).toBe(200);
    const [start, end] = hours.before.map((time) => `2026-03-02T${time}.000Z`);
    expect(body.before).toMatchObject({ from: start, to: end });
    const values = (items: Counts['items']): unknown => items.map(({ at, value }) => [at, value]);
    // The call that rang and ended began in the period before, the busy one in this one.
    const ended = [[start, 'ended'], ...(which === 'streams' ? [[start, null]] : [])];
    expect(values(body.before.items)).toEqual(ended);
    expect(values(body.items)).toEqual(which === 'streams' ? [[`2026-03-02T${hours.now[0]}.000Z`, 'error']] : []);
  });

  it.each([
    ['compare=after', 'compare must be before'],
    ['compare=before&from=1970-01-02T00:00:00Z&to=1970-01-05T00:00:00Z', 'before 1970'],
  ])('are not compared with %s', async (query, message) => {
    const { status, body } = await aggregator.get<Problem>(`/api/statistics/streams?${query}`, around.operator);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(message)]);
  });

  it.each([
    ['driver', 'USB', ['usb 3']],
    ['dscp', '4', ['46']],
  ])('have suggestions for %s', async (field, q, texts) => {
    const path = `/api/suggest?field=${field}&q=${q}`;
    const { body } = await aggregator.get<{ items: readonly { text: string }[] }>(path, around.operator);
    expect(body.items.map(({ text }) => text)).toEqual(texts);
  });

  it('are found by numbers and flags by operators who do not see users', async () => {
    for (const query of ['dscp=46', 'vpn=true', 'inside=false', 'mediaBypass=true', 'minLinkSpeed=1'])
      expect([query, await idsOf(query, around.plainOperator)]).toEqual([query, ['relayed']]);
  });

  it('are counted by what is shown where users are hidden, and found by that', async () => {
    const time = 'from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z&bucketSeconds=86400';
    const path = `/api/statistics/streams?${time}&by=ssid`;
    const { body } = await aggregator.get<Counts>(path, around.plainOperator);
    const shown = body.items.flatMap(({ value }) => value ?? []);
    expect(shown).toEqual([expect.stringMatching(/^hidden-/)]);
    expect(await idsOf(`ssid=${shown[0]}`, around.plainOperator)).toEqual(['relayed']);
  });

  it.each([
    ['ringSeconds', '', [[null, 1, 2.5]]],
    [
      'postDialSeconds',
      '&by=device',
      [
        ['headset 7', 1, 0.4],
        ['speaker', 1, 0.4],
      ],
    ],
    ['setupSeconds', '&by=path', [['relay', 1, 60]]],
  ])('have a distribution of %s%s, in which each call counts once', async (metric, by, expected) => {
    const time = 'from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z&bucketSeconds=86400';
    const path = `/api/statistics/metrics?${time}&metric=${metric}${by}`;
    const { body } = await aggregator.get<MetricCounts>(path, around.operator);
    expect(body.unit).toBe('s');
    expect(body.items.map(({ value, streams, p50 }) => [value, streams, p50])).toEqual(expected);
  });
});
