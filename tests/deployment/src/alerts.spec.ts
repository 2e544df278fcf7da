import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { evaluate, type Series } from './alert-expression.js';

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

const file = join(import.meta.dirname, '../../../..', 'deploy/monitoring/alerts.yml');
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the specification expects is checked by it
const rules = (parse(readFileSync(file, 'utf8')) as Rules).groups.flatMap((group) => group.rules);
const expressions = new Map(rules.map(({ alert, expr }) => [alert, expr]));

/** The samples within the range, the newest last. */
function series(name: string, values: readonly number[], labels: Readonly<Record<string, string>> = {}): Series {
  return { name, labels, values };
}

const two = (name: string, one: number, other: number): Series[] => [
  series(name, [one], { instance: 'a' }),
  series(name, [other], { instance: 'b' }),
];
const backlog = (partition: number, messages: number): Series =>
  series('ringdown_aggregator_backlog_messages', [messages], {
    partition: String(partition),
    subject: String(partition % 8),
    instance: partition < 8 ? 'a' : 'b',
  });
const refused = (code: string, ...values: number[]): Series[] => [
  series('ringdown_collector_refused_total', values, { code, instance: 'a' }),
];
const recent = (state: string, verdict: string, value: number): Series =>
  series('ringdown_recent_calls', [value], { state, verdict, instance: 'a' });
const answers = (route: string, fast: number, all: number): Series[] =>
  [
    ['0.5', fast],
    ['1', fast],
    ['1.1', all],
    ['+Inf', all],
  ].map(([le, count]) => series('ringdown_http_request_seconds_bucket', [0, Number(count)], { le: String(le), route }));
const seconds = (job: string, ...values: number[]): Series[] => [
  series('nodejs_eventloop_lag_max_seconds', values, { job, service: 'collector', instance: 'a' }),
];

/**
 * Cases in which each alert must not fire, and in which it must: directly below and above its threshold, if it has one.
 */
const CASES: Readonly<Record<string, { silent: readonly Series[][]; firing: readonly Series[][] }>> = {
  RecordsLost: {
    // A counter that has not changed for a long time.
    silent: [[series('ringdown_collector_unavailable_total', [7, 7])]],
    firing: [[series('ringdown_collector_unavailable_total', [7, 8])]],
  },
  CertificateNotIssued: {
    silent: [two('ringdown_acme_failed_attempts', 0, 2)],
    firing: [two('ringdown_acme_failed_attempts', 0, 3)],
  },
  RecordsRefused: { silent: [refused('bad-value', 5, 15)], firing: [refused('bad-value', 5, 16)] },
  ForeignFrontEnd: {
    silent: [refused('front-end-not-allowed', 3, 3), refused('bad-value', 0, 9)],
    firing: [refused('front-end-not-allowed', 3, 4)],
  },
  FrontEndsOverLimit: {
    silent: [
      [...two('ringdown_collector_front_ends', 10, 900), ...two('ringdown_collector_front_ends_limit', 1_000, 1_000)],
    ],
    firing: [
      [...two('ringdown_collector_front_ends', 10, 901), ...two('ringdown_collector_front_ends_limit', 1_000, 1_000)],
      refused('too-many-front-ends', 0, 1),
    ],
  },
  ConnectionsDropped: {
    silent: [[series('ringdown_collector_connections_dropped_total', [4, 4], { limit: 'address' })]],
    firing: [[series('ringdown_collector_connections_dropped_total', [4, 5], { limit: 'address' })]],
  },
  RecordsSetAside: {
    silent: [[series('ringdown_aggregator_records_total', [0, 9], { outcome: 'folded' })]],
    firing: [[series('ringdown_aggregator_records_total', [0, 1], { outcome: 'set_aside' })]],
  },
  FeedSilent: {
    silent: [
      [series('ringdown_calls_in_progress', [0]), series('ringdown_collector_records_total', [5, 5])],
      [series('ringdown_calls_in_progress', [2]), series('ringdown_collector_records_total', [5, 6])],
    ],
    firing: [[series('ringdown_calls_in_progress', [1]), series('ringdown_collector_records_total', [5, 5])]],
  },
  BacklogGrows: {
    silent: [
      [backlog(3, 2_500), backlog(4, 2_500)],
      // The same messages wait for both.
      [backlog(3, 5_000), backlog(11, 5_000)],
    ],
    firing: [
      [backlog(3, 2_500), backlog(4, 2_501)],
      [backlog(3, 0), backlog(11, 5_001)],
    ],
  },
  RecordsDropped: {
    silent: [two('ringdown_aggregator_dropped_messages', 0, 0)],
    firing: [two('ringdown_aggregator_dropped_messages', 0, 1)],
  },
  StatisticsLag: {
    silent: [two('ringdown_database_read_lag_seconds', 0, 60)],
    firing: [two('ringdown_database_read_lag_seconds', 0, 61)],
  },
  DatabaseDamaged: {
    silent: [two('ringdown_database_damaged_files', 0, 0)],
    firing: [two('ringdown_database_damaged_files', 0, 1)],
  },
  ServerRestarted: {
    silent: [[series('ringdown_server_restarts_total', [2, 2], { server: 'bus' })]],
    firing: [[series('ringdown_server_restarts_total', [2, 3], { server: 'database' })]],
  },
  BusShortened: {
    silent: [two('ringdown_aggregator_bus_shortened', 0, 0)],
    firing: [two('ringdown_aggregator_bus_shortened', 0, 1)],
  },
  RecordsMissing: {
    silent: [two('ringdown_aggregator_missing_records', 0, 0)],
    firing: [two('ringdown_aggregator_missing_records', 0, 1)],
  },
  ClocksDiffer: {
    silent: [[series('ringdown_aggregator_clock_ahead_seconds', [-60], { clock: 'bus' })]],
    firing: [
      [series('ringdown_aggregator_clock_ahead_seconds', [-61], { clock: 'bus' })],
      [series('ringdown_aggregator_clock_ahead_seconds', [61], { clock: 'aggregator' })],
    ],
  },
  PartitionsUnread: {
    silent: [[...two('ringdown_aggregator_partitions', 8, 8), ...two('ringdown_aggregator_feed_partitions', 8, 16)]],
    firing: [[...two('ringdown_aggregator_partitions', 8, 7), ...two('ringdown_aggregator_feed_partitions', 8, 16)]],
  },
  CallsAreBad: {
    silent: [
      [recent('ended', 'bad', 10), recent('ended', 'good', 90), recent('ended', 'unknown', 0)],
      [recent('ended', 'bad', 20)],
      [recent('ended', 'bad', 0), recent('ended', 'unknown', 900)],
    ],
    firing: [
      [recent('ended', 'bad', 11), recent('ended', 'good', 89), recent('ended', 'unknown', 900)],
      [recent('ended', 'bad', 21)],
    ],
  },
  CallsFail: {
    silent: [[recent('failed', 'unknown', 20), recent('ended', 'good', 80)]],
    firing: [[recent('failed', 'unknown', 21), recent('ended', 'good', 79)]],
  },
  CallsExpire: {
    silent: [
      [series('ringdown_aggregator_calls_timed_out_total', [1, 11], { reason: 'expired' })],
      [series('ringdown_aggregator_calls_timed_out_total', [1, 99], { reason: 'no-answer' })],
    ],
    firing: [[series('ringdown_aggregator_calls_timed_out_total', [1, 12], { reason: 'expired' })]],
  },
  ServiceDown: {
    silent: [[series('up', [1], { job: 'ringdown' })], [series('up', [0], { job: 'other' })]],
    firing: [
      [series('up', [1], { job: 'ringdown', instance: 'a' }), series('up', [0], { job: 'ringdown', instance: 'b' })],
    ],
  },
  BucketFull: {
    silent: [[series('ringdown_bus_refused_writes_total', [4, 4], { bucket: 'TOKENS' })]],
    firing: [[series('ringdown_bus_refused_writes_total', [4, 5], { bucket: 'TOKENS' })]],
  },
  ConnectionsRefused: {
    silent: [[series('ringdown_http_connections_refused_total', [4, 4], { of: 'all' })]],
    firing: [[series('ringdown_http_connections_refused_total', [4, 5], { of: 'all' })]],
  },
  EventLoopBlocked: {
    silent: [seconds('ringdown', 0.01, 1, 0.9), seconds('other', 30)],
    // It lasts for one scrape only: the samples before count.
    firing: [seconds('ringdown', 0.01, 1.1, 0.01), seconds('ringdown', 1.1)],
  },
  AnswersAreSlow: {
    silent: [answers('/api/calls', 99, 100), answers('/api/calls/stream', 0, 100)],
    firing: [answers('/api/calls', 98, 100)],
  },
  DirectoryStale: {
    silent: [two('ringdown_directory_stale', 0, 0)],
    firing: [two('ringdown_directory_stale', 0, 1)],
  },
  SubscriberFails: {
    silent: [[series('ringdown_subscriber_failing', [0], { subscriber: 'a' })]],
    firing: [[series('ringdown_subscriber_failing', [1], { subscriber: 'a' })]],
  },
  SubscriberLoses: {
    silent: [[series('ringdown_subscriber_dropped_total', [3, 3], { subscriber: 'a', reason: 'full' })]],
    firing: [[series('ringdown_subscriber_dropped_total', [3, 4], { subscriber: 'a', reason: 'full' })]],
  },
};

describe('the alerts of deploy/monitoring', () => {
  it('each have test cases here', () => {
    expect(Object.keys(CASES).toSorted()).toEqual([...expressions.keys()].toSorted());
  });

  it.each(Object.entries(CASES))(
    '%s fires in its cases, and not in the cases next to them',
    (alert, { silent, firing }) => {
      const isFiring = (scraped: readonly Series[]): boolean =>
        evaluate(expressions.get(alert) ?? '', scraped).length > 0;
      expect(silent.map(isFiring)).toEqual(silent.map(() => false));
      expect(firing.map(isFiring)).toEqual(firing.map(() => true));
      expect(isFiring([])).toBe(false);
    },
  );
});
