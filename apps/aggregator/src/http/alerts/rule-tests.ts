import type { AlertTest } from '@ringdown/answers/alerts';
import { randomUUID } from 'node:crypto';
import { RateLimit } from '@ringdown/concurrency';
import { Fault } from '@ringdown/web-server/errors';
import { isoTime } from '../../calls/streams/report-source.js';
import type { AlertNotice } from '../../alerts/delivery/alert-notice.js';
import type { AlertLinks } from '../../alerts/delivery/alert-links.js';
import type { AlertReceivers } from '../../alerts/delivery/alert-receivers.js';
import type { AlertRuleViews } from '../../alerts/rules/alert-rule-views.js';
import type { StoredRule } from '../../alerts/rules/alert-rules.js';
import { ALERT_MEASURES } from '../../alerts/deciding/measures.js';
import { sendNotice } from '../../alerts/delivery/send-notice.js';

export type TestedReceiver = AlertTest['items'][number];

/** Enough for setting up a receiver; more would flood people and their systems with mail and posts. */
const TESTS_PER_MINUTE = 5;
/** Of all operators together. */
const ALL = 20;

/** Sends test notices. */
export class RuleTests {
  private readonly ofOperator = new RateLimit({ limit: TESTS_PER_MINUTE });
  private readonly ofAll = new RateLimit({ limit: ALL });

  constructor(
    private readonly receivers: AlertReceivers,
    private readonly views: AlertRuleViews,
    private readonly links: AlertLinks,
  ) {}

  /** To each receiver of the rule, once. `now`: milliseconds since 1970. Throws a {@link Fault} after too many tests. */
  async run(rule: StoredRule, operator: string, now: number): Promise<readonly TestedReceiver[]> {
    const waitSeconds = this.ofOperator.add(operator) ?? this.ofAll.add('');
    if (waitSeconds !== undefined)
      throw new Fault('too-many-requests', { headers: { 'retry-after': String(waitSeconds) } });
    const notice = this.noticeOf(rule, now);
    return Promise.all(
      rule.receivers.map(async (name) => {
        const receiver = this.receivers.find(name);
        if (receiver === undefined)
          return {
            receiver: name,
            ok: false,
            reason: 'it is not in ALERT_RECEIVERS any more',
            failure: { code: 'unknown-receiver', detail: null },
          };
        const delivery = await sendNotice(receiver, notice);
        return {
          receiver: name,
          ok: delivery.ok,
          reason: delivery.ok ? null : delivery.reason,
          failure: delivery.ok ? null : delivery.failure,
        };
      }),
    );
  }

  private noticeOf(rule: StoredRule, now: number): AlertNotice {
    const { name } = this.views.hidden(rule);
    const alertId = randomUUID();
    return {
      id: `${alertId}-test`,
      alertId,
      state: 'test',
      rule: { id: rule.id, name, severity: rule.severity },
      scope: {},
      value: null,
      limit: rule.limit,
      unit: ALERT_MEASURES[rule.measure].unit,
      calls: 0,
      summary: `A test of the alert rule ${name}: nothing is wrong.`,
      link: this.links.of(rule, {}, now),
      startsAt: isoTime(now),
      endsAt: null,
    };
  }
}
