import { freePort } from '@ringdown/testing/embedded-servers';
import { eventually } from '@ringdown/testing/eventually';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AlertRule as ShownRule, Alert } from '@ringdown/answers/alerts';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, published, startXml } from './feed-examples.js';

const GUIDE = readFileSync(new URL('../../../../docs/guides/alerts.md', import.meta.url), 'utf8');
const SECRET = 'at least 16 characters';

describe('the receiver of the guide to alerts', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  let receiver: ChildProcess;
  let url: string;
  let output = '';
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-receiver-'));

  beforeAll(async () => {
    const [, program = ''] = /```js\n(.*?)```/s.exec(GUIDE) ?? [];
    const file = join(folder, 'receiver.mjs');
    writeFileSync(file, program);
    const port = await freePort();
    url = `http://127.0.0.1:${port}/ringdown`;
    const env = { SECRET, PORT: String(port) };
    receiver = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    receiver.stdout?.on('data', (text: Buffer) => (output += text.toString()));
    await eventually('the receiver', () => fetch(url).then(Boolean, () => false));
    const receivers = join(folder, 'receivers.json');
    writeFileSync(receivers, JSON.stringify({ receivers: [{ name: 'pager', kind: 'webhook', url, secret: SECRET }] }));
    around = await Surroundings.start();
    aggregator = await around.startAggregator({ ALERT_SECONDS: '1', ALERT_RECEIVERS: receivers });
    await eventually('readiness', async () => (await aggregator.health.report()).ready);
  });
  afterAll(async () => {
    receiver.kill();
    await around.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const lines = (state: string): readonly string[] => output.split('\n').filter((line) => line.startsWith(`${state} `));
  const post = async (body: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(url, { method: 'POST', body, headers })).status;

  it('accepts the notices of an alert and of its end, and a test', async () => {
    const frontEnd = 'quiet.example.test';
    const rule = { name: 'Silence', measure: 'silentFeed', limit: 300, minimumCalls: 1, receivers: ['pager'] };
    const body = { ...rule, search: { frontEnd } };
    await around.publish(published(startXml({ callId: 'c1', frontEnd }), Date.now() - 600_000));
    const created = await aggregator.send<ShownRule>('POST', '/api/alert-rules', around.operator, { body });
    await eventually('the alert', () => lines('firing').length === 1);
    const tested = await aggregator.send('POST', `/api/alert-rules/${created.body.id}/test`, around.operator);
    expect(tested.body).toEqual({ items: [{ receiver: 'pager', ok: true, reason: null, failure: null }] });
    await around.publish(published(endXml({ callId: 'c1', frontEnd })));
    await eventually('the end', () => lines('resolved').length === 1);
    const [alert] = await aggregator.all<Alert>('/api/alerts?limit=10', around.operator);
    expect(lines('firing')).toEqual([`firing ${alert?.summary} ${alert?.link}`]);
    expect(lines('test')).toHaveLength(1);
  });

  it('rejects what is not genuine, and prints a repeat once', async () => {
    const body = JSON.stringify({
      id: 'a-firing',
      state: 'firing',
      summary: 'Repeated',
      link: 'https://uc.example.test',
    });
    const signed = (of: string, secret = SECRET, secondsAgo = 0): Record<string, string> => {
      const stamp = String(Math.floor(Date.now() / 1_000) - secondsAgo);
      const signature = createHmac('sha256', secret).update(`${stamp}.${of}`).digest('hex');
      return { 'ringdown-timestamp': stamp, 'ringdown-signature': `v1=${signature}` };
    };
    const genuine = signed(body);
    const stamp = genuine['ringdown-timestamp'] ?? '';
    expect(await post(body, {})).toBe(401);
    expect(await post(`${body} `, signed(body))).toBe(401);
    expect(await post(body, signed(body, 'another secret of a test'))).toBe(401);
    expect(await post(body, signed(body, SECRET, 3_600))).toBe(401);
    expect(await post(body, { 'ringdown-timestamp': stamp, 'ringdown-signature': 'é'.repeat(67) })).toBe(401);
    expect(await post(body, { ...genuine, 'ringdown-timestamp': String(Number(stamp) + 1) })).toBe(401);
    for (let times = 0; times < 2; times++) expect(await post(body, signed(body))).toBe(204);
    expect(output.match(/Repeated/g)).toHaveLength(1);
  });
});
