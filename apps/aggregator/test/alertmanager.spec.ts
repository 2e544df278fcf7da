import { freePort } from '@ringdown/testing/embedded-servers';
import { eventually } from '@ringdown/testing/eventually';
import { findProgram } from '@ringdown/testing/find-program';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../src/store/database/database.js';
import type { RunningAggregator, Surroundings } from './aggregator-under-test.js';
import { SilentFeeds } from './silent-feeds.js';

const ADVICE = 'these tests need a real Alertmanager. Install it (Debian: apt-get install prometheus-alertmanager)';

describe('notices for Alertmanager', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  let feeds: SilentFeeds;
  let folder: string;
  let alertmanager: Alertmanager;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-alertmanager-'));
    alertmanager = await startAlertmanager(folder);
    const receivers = [{ name: 'alertmanager', kind: 'alertmanager', url: alertmanager.url }];
    feeds = await SilentFeeds.start(folder, receivers);
    ({ around, aggregator } = feeds);
  });
  afterAll(async () => {
    await alertmanager.stop();
    await around.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('reach it, and it knows when they are resolved', async () => {
    const rule = await feeds.create('four.example.test', ['alertmanager']);
    const shown = async (): Promise<readonly Record<string, unknown>[]> => {
      const filter = encodeURIComponent(`rule="${rule.id}"`);
      const response = await fetch(`${alertmanager.url}/api/v2/alerts?filter=${filter}`);
      return (await response.json()) as readonly Record<string, unknown>[]; // oxlint-disable-line typescript/no-unsafe-type-assertion -- checked below
    };
    await eventually('an alert in Alertmanager', async () => (await shown()).length > 0);
    const alert = await feeds.alertOf(rule);
    expect(await shown()).toMatchObject([
      {
        labels: { alertname: 'Silence of four.example.test', severity: 'warning', frontEnd: 'four.example.test' },
        annotations: { summary: alert.summary },
        generatorURL: alert.link,
        status: { state: 'active' },
      },
    ]);
    await feeds.resolve('four.example.test');
    await eventually('no alert in Alertmanager', async () => (await shown()).length === 0);
  });

  it('are sent again when it has restarted and forgotten them', async () => {
    const rule = await feeds.create('six.example.test', ['alertmanager']);
    const shown = async (): Promise<boolean> => {
      const filter = encodeURIComponent(`rule="${rule.id}"`);
      const response = await fetch(`${alertmanager.url}/api/v2/alerts?filter=${filter}`);
      return (await response.text()).includes(rule.id);
    };
    await eventually('an alert in Alertmanager', shown);
    await alertmanager.restart();
    expect(await eventually('the same alert after the restart', shown)).toBe(true);
    await feeds.resolve('six.example.test');
    await eventually('no alert in Alertmanager', async () => !(await shown()));
  });

  it('are all counted and repeated, also more than a thousand', async () => {
    const database = new Database({ url: around.database.url, poolSize: 1, logger: quietLogger() });
    const count = 1_050;
    await database.write((transaction) =>
      transaction.query(
        `with added as (
           insert into alerts (id, rule_id, rule_name, severity, scope, unit, calls, summary, link, starts_at)
           select 'many-' || n, 'many', 'Many', 'warning', '{}', 'ratio', 1, 'Many.', 'https://uc.example.test/',
             date_trunc('milliseconds', now()) - n / 2 * interval '1 millisecond'
           from generate_series(1, $1::integer) as n returning id, starts_at
         )
         insert into alert_notices (id, receiver, body, next_attempt_at, delivered_at)
         select id || '-firing', 'alertmanager', jsonb_build_object('id', id || '-firing', 'alertId', id, 'state', 'firing',
           'rule', jsonb_build_object('id', 'many', 'name', 'Many', 'severity', 'warning'), 'scope', '{}'::jsonb, 'calls', 1,
           'summary', 'Many.', 'link', 'https://uc.example.test/', 'endsAt', null,
           'startsAt', to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), null, now()
         from added`,
        [count],
      ),
    );
    await eventually('all alerts in Alertmanager', async () => {
      const response = await fetch(`${alertmanager.url}/api/v2/alerts?filter=${encodeURIComponent('rule="many"')}`);
      const alerts: unknown = await response.json();
      return Array.isArray(alerts) && alerts.length === count;
    });
    const { body } = await aggregator.get<{ openCount: number }>('/api/alerts?limit=1&rule=many', around.operator);
    expect(body.openCount).toBe(count);
    await database.write((transaction) => transaction.query(`delete from alerts where rule_id = 'many'`));
    await database.close();
  });

  it('are tested at once', async () => {
    const rule = await feeds.create('five.example.test', ['alertmanager']);
    const { body } = await feeds.send<{ items: unknown }>('POST', `/api/alert-rules/${rule.id}/test`);
    expect(body.items).toEqual([{ receiver: 'alertmanager', ok: true, reason: null, failure: null }]);
  });
});

interface Alertmanager {
  readonly url: string;
  /** Ends it like a crash: it keeps no alerts. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

async function startAlertmanager(folder: string): Promise<Alertmanager> {
  const program = findProgram('prometheus-alertmanager', ADVICE);
  const config = join(folder, 'alertmanager.yml');
  writeFileSync(config, 'route:\n  receiver: nobody\nreceivers:\n  - name: nobody\n');
  const url = `http://127.0.0.1:${await freePort()}`;
  const address = new URL(url).host;
  const options = [`--config.file=${config}`, `--storage.path=${folder}`, `--web.listen-address=${address}`];
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(program, [...options, '--cluster.listen-address='], { stdio: 'ignore' });
    await eventually('Alertmanager', async () => (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok === true);
    return started;
  };
  let child = await start();
  const stop = async (): Promise<void> => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const restart = async (): Promise<void> => {
    await stop();
    child = await start();
  };
  return { url, restart, stop };
}
