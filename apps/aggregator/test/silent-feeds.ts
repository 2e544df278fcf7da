import type { AlertRule as ShownRule, AlertNoticeState as NoticeState, Alert } from '@ringdown/answers/alerts';
import { eventually } from '@ringdown/testing/eventually';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Surroundings, type Answer, type Page, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, published, startXml } from './feed-examples.js';

/** Alerts about front ends that were silent for ten minutes. */
export class SilentFeeds {
  private constructor(
    readonly around: Surroundings,
    readonly aggregator: RunningAggregator,
  ) {}

  /** Of two replicas with these receivers: each alert is one for both. */
  static async start(folder: string, receivers: readonly object[]): Promise<SilentFeeds> {
    const file = join(folder, 'receivers.json');
    writeFileSync(file, JSON.stringify({ receivers }));
    const around = await Surroundings.start();
    const env = { ALERT_SECONDS: '1', ALERT_RECEIVERS: file };
    const aggregator = await around.startAggregator(env);
    await around.startAggregator(env);
    // A new PostgreSQL has no tables before.
    await eventually('readiness', async () => (await aggregator.health.report()).ready);
    return new SilentFeeds(around, aggregator);
  }

  send<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Answer<T>> {
    return this.aggregator.send<T>(method, path, this.around.operator, body === undefined ? {} : { body });
  }

  /** Makes the rule for a front end, and its silence. */
  async create(frontEnd: string, receivers: readonly string[]): Promise<ShownRule> {
    const search = { frontEnd };
    const name = `Silence of ${frontEnd}`;
    const rule = { name, measure: 'silentFeed', limit: 300, minimumCalls: 1, search, receivers };
    const { status, body } = await this.send<ShownRule>('POST', '/api/alert-rules', rule);
    expect(status).toBe(201);
    await this.around.publish(published(startXml({ callId: frontEnd, frontEnd }), Date.now() - 600_000));
    return body;
  }

  /** The front end is heard again. */
  resolve(frontEnd: string): Promise<void> {
    return this.around.publish(published(endXml({ callId: frontEnd, frontEnd })));
  }

  alertOf({ id }: ShownRule): Promise<Alert> {
    return eventually('an alert', async () => {
      const { body } = await this.aggregator.get<Page<Alert>>(`/api/alerts?rule=${id}`, this.around.operator);
      return body.items[0];
    });
  }

  async noticesOf(rule: ShownRule): Promise<readonly NoticeState[]> {
    const { id } = await this.alertOf(rule);
    const path = `/api/alerts/${id}`;
    const { body } = await this.aggregator.get<{ notices: readonly NoticeState[] }>(path, this.around.operator);
    return body.notices;
  }
}
