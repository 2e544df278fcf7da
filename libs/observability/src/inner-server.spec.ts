import type { Server } from 'node:http';
import { readSettings } from '@ringdown/settings';
import { Health, innerServerSettings, Metrics, startInnerServer } from './index.js';

describe('the inner server', () => {
  const health = new Health();
  const metrics = new Metrics();
  let server: Server;
  let base: string;

  beforeAll(async () => {
    server = await startInnerServer({ innerPort: 0, innerHost: '127.0.0.1' }, { metrics, health });
    const address = server.address();
    base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  afterAll(() => server.close());

  it('listens on the loopback address unless INNER_HOST is set', () => {
    expect(readSettings(innerServerSettings, {}).innerHost).toBe('127.0.0.1');
  });

  it('is ready while every part works, and names the part that does not', async () => {
    let works = true;
    health.add('bus', () => {
      if (!works) throw new Error('not connected');
    });
    expect((await fetch(`${base}/health/ready`)).status).toBe(200);
    works = false;
    const answer = await fetch(`${base}/health/ready`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ ready: false, parts: { bus: 'not connected' }, limited: [] });
    works = true;
  });

  it('names its setting when the port is in use', async () => {
    const innerPort = Number(new URL(base).port);
    await expect(startInnerServer({ innerPort, innerHost: '127.0.0.1' }, { metrics, health })).rejects.toThrow(
      /\(INNER_PORT, INNER_HOST\): port \d+ on 127\.0\.0\.1 is in use/,
    );
  });

  it('stays alive but not ready while the service stops', async () => {
    health.startDraining();
    expect((await fetch(`${base}/health/ready`)).status).toBe(503);
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
  });

  it('shows metrics in the Prometheus format', async () => {
    metrics.counter('tests_total', 'Tests run').inc();
    const text = await (await fetch(`${base}/metrics`)).text();
    expect(text).toContain('# HELP ringdown_tests_total Tests run');
    expect(text).toContain('ringdown_tests_total 1');
  });

  it('answers a request without parameters, with some, and for the head alone', async () => {
    expect((await fetch(`${base}/metrics?collect=all`)).status).toBe(200);
    const response = await fetch(`${base}/health/live?from=balancer`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('answers other paths and methods with a reason', async () => {
    expect((await fetch(`${base}/`)).status).toBe(404);
    expect((await fetch(`${base}/metrics`, { method: 'POST' })).status).toBe(405);
  });
});
