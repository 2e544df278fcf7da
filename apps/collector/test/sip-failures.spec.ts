import { SIP_FAILURES_STREAM, type SipFailureReport } from '@ringdown/contracts/sip-failures';
import { Bus } from '@ringdown/nats';
import { startNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { RunningCollector } from './running-collector.js';

const ID = '6f0d2a3e-6a0c-4a53-9a55-0f6b7d1f2c12';
const FAILURE = { method: 'REGISTER', status: '403', peer: '192.0.2.10', count: 3 };
const REPORT = { v: 1, id: ID, frontEnd: 'fe1', failures: [FAILURE] };
const PATH = '/Ringdown/SipFailures';

describe('a report of failed SIP requests', () => {
  const started = new Started();
  let collector: RunningCollector;
  let bus: Bus;

  beforeAll(async () => {
    const { url } = started.add(await startNats());
    collector = started.add(await RunningCollector.start(url));
    bus = await Bus.connect({ url, name: 'test', logger: quietLogger() });
  });
  afterAll(async () => {
    await bus.close();
    await started.stopAll();
  });

  const post = (body: unknown, path = PATH): Promise<Response> => collector.postJson(path, body);

  it('is announced in the configuration, and on the bus before its 200', async () => {
    const request =
      '<GetConfiguration Version="1.0"><Pool/><FrontEnd>fe1</FrontEnd><CurrentVersion/></GetConfiguration>';
    const configuration = await (await collector.post(request, {}, '/Ringdown/GetConfiguration')).text();
    expect(configuration).toContain(' AcceptedReports="SipFailures"');
    const before = Date.now();
    const answer = await post({ ...REPORT, unknown: 'member', failures: [{ ...FAILURE, user: 'anna' }] });
    expect([answer.status, await answer.json()]).toEqual([200, { stored: 1 }]);
    const message = await bus.jsm.streams.getMessage(SIP_FAILURES_STREAM, { last_by_subj: 'ringdown.sip-failures' });
    const { receivedAt, ...stored } = message?.json<SipFailureReport>() ?? { receivedAt: 0 };
    expect(stored).toEqual(REPORT);
    expect(receivedAt).toBeGreaterThanOrEqual(before);
  });

  it.each([
    ['not JSON', '{'],
    ['another version', { ...REPORT, v: 2 }],
    ['no UUID', { ...REPORT, id: 'x' }],
    ['an empty front end', { ...REPORT, frontEnd: '' }],
    ['a NUL in the front end', { ...REPORT, frontEnd: 'a\0b' }],
    ['no list', { ...REPORT, failures: {} }],
    ['too many kinds', { ...REPORT, failures: Array.from({ length: 1_005 }, () => FAILURE) }],
    ['a method of calls', { ...REPORT, failures: [{ ...FAILURE, method: 'INVITE' }] }],
    ['a status of success', { ...REPORT, failures: [{ ...FAILURE, status: '200' }] }],
    ['a user as peer', { ...REPORT, failures: [{ ...FAILURE, peer: 'anna@example.test' }] }],
    ['a count of 0', { ...REPORT, failures: [{ ...FAILURE, count: 0 }] }],
    ['a fraction', { ...REPORT, failures: [{ ...FAILURE, count: 1.5 }] }],
  ])('is rejected with %s', async (_what, body) => {
    const { messages } = (await bus.jsm.streams.info(SIP_FAILURES_STREAM)).state;
    expect((await post(body)).status).toBe(400);
    expect((await bus.jsm.streams.info(SIP_FAILURES_STREAM)).state.messages).toBe(messages);
  });
});
