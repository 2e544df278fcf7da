import { eventually } from '@ringdown/testing/eventually';
import { programFile } from '@ringdown/testing/program-file';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { ServiceProcess } from '@ringdown/testing/service-process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AlertNoticeState as NoticeState, Alert } from '@ringdown/answers/alerts';
import { Database } from '../src/store/database/database.js';
import { Surroundings, type Page, type RunningAggregator } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';
import { mailHeader, MailServer } from './mail-server.js';

const MAIN = programFile('aggregator');
/** Of the second aggregator, each a second after the last. */
const ROUNDS = 4;

describe('an e-mail that the mail server has accepted from an aggregator which dies before it marks it as delivered', () => {
  let around: Surroundings;
  let database: Database;
  let mail: MailServer;
  let folder: string;
  let env: Readonly<Record<string, string>>;
  let first: ServiceProcess;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-interrupted-mail-'));
    mail = await MailServer.create({ folder, password: 'not used' });
    await mail.start();
    around = await Surroundings.start();
    database = new Database({ url: around.database.url, poolSize: 1, logger: quietLogger() });
    env = { ALERT_SECONDS: '1', ALERT_RECEIVERS: receivers(), ALERT_RULES: rules() };
    const addresses = {
      NATS_URL: around.nats.urlOf('aggregator'),
      DATABASE_URL: around.database.url,
      SERVICE_HOST: '127.0.0.1',
      IDENTITY_SEED: 'seed of these very tests',
    };
    first = await ServiceProcess.start({
      main: MAIN,
      running: 'aggregator is running',
      env: { ...env, ...addresses },
      portSetting: 'SERVICE_PORT',
    });
  });
  afterAll(async () => {
    await first.stop();
    await database.close();
    await around.stop();
    await mail.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The mail server keeps the first message to this address and never replies to it. */
  function receivers(): string {
    const addresses = { from: 'ringdown@example.test', to: 'unconfirmed@example.test' };
    const receiver = { name: 'mail', kind: 'email', host: '127.0.0.1', port: mail.port, tls: 'none', ...addresses };
    return json('receivers.json', { receivers: [receiver] });
  }

  function rules(): string {
    const search = { frontEnd: 'fe-quiet' };
    const rule = { id: 'silence', name: 'Silence', measure: 'silentFeed', limit: 300, minimumCalls: 1, search };
    return json('rules.json', { rules: [{ ...rule, receivers: ['mail'] }] });
  }

  function json(name: string, content: object): string {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(content));
    return file;
  }

  /** Each evaluates the rule, and looks for notices that are due. */
  async function rounds({ metrics }: RunningAggregator): Promise<void> {
    const evaluations = async (): Promise<number> => {
      const text = await metrics.registry.getSingleMetricAsString('ringdown_aggregator_alert_evaluations_total');
      return Number(/"decided"\} (\d+)/.exec(text)?.[1]);
    };
    const before = await evaluations();
    await eventually('rounds', async () => (await evaluations()) >= before + ROUNDS);
  }

  async function notices(aggregator: RunningAggregator): Promise<readonly NoticeState[]> {
    const { body } = await aggregator.get<Page<Alert>>('/api/alerts?limit=10', around.operator);
    expect(body.items).toHaveLength(1);
    const path = `/api/alerts/${body.items[0]?.id}`;
    return (await aggregator.get<{ notices: readonly NoticeState[] }>(path, around.operator)).body.notices;
  }

  it('is not sent by another aggregator during the lease, and once more with the same Message-ID after it', async () => {
    await around.publish(published(startXml({ callId: 'quiet', frontEnd: 'fe-quiet' }), Date.now() - 600_000));
    await eventually('a message', () => mail.accepted.length > 0);
    await first.kill();
    const second = await around.startAggregator(env);
    await eventually('readiness', async () => (await second.health.report()).ready);
    await rounds(second);
    expect(mail.accepted).toHaveLength(1);
    expect(await notices(second)).toMatchObject([{ attempts: 1, deliveredAt: null, givenUp: false }]);
    // The minute of the lease is over.
    await database.write((transaction) =>
      transaction.query(`update alert_notices set next_attempt_at = next_attempt_at - interval '60 seconds'`),
    );
    await eventually('the repeat', async () => (await notices(second))[0]?.deliveredAt);
    await rounds(second);
    const [original, repeat, ...more] = mail.accepted;
    if (original === undefined || repeat === undefined) throw new Error('a message is missing');
    expect(more).toEqual([]);
    const [notice] = await notices(second);
    expect(notice).toMatchObject({ attempts: 2, givenUp: false, lastError: null });
    for (const message of [original, repeat]) {
      expect(mailHeader(message, 'Message-ID')).toBe(`<${notice?.id}@example.test>`);
      expect(mailHeader(message, 'Ringdown-Notice')).toBe(notice?.id);
    }
  });
});
