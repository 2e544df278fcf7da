import type {
  ConnectionInfo,
  Endpoint,
  Metric,
  QualityEvent,
  RecordEvent,
  StreamEvent,
} from '@ringdown/xml-schemas/record';
import { createHash } from 'node:crypto';
import { recordFeed } from '@ringdown/contracts/feed-of';
import type { SentBy } from '@ringdown/contracts/records';
import type { FeedRecord } from '../src/calls/feed-record.js';

/** Records of one call as written by senders of 1.0, for tests. */
export const anna: Endpoint = { id: 'a1', epId: 'e1', uri: 'sip:anna@example.test', ip: '10.0.0.1', port: 50_000 };
export const ben: Endpoint = { id: 'b2', epId: 'e2', uri: 'sip:ben@example.test', ip: '10.0.0.2', port: 50_002 };

const DAY = '2026-03-02T10:';

export interface ExampleOptions {
  /** `MM:SS` and fraction within one hour. */
  readonly at?: string;
  readonly frontEnd?: string;
  readonly connection?: Partial<ConnectionInfo>;
  readonly receivedAt?: number;
  readonly sentBy?: SentBy;
  readonly version?: string;
}

export function example(events: readonly RecordEvent[], options: ExampleOptions = {}): FeedRecord {
  const {
    at = '00:00',
    frontEnd = 'fe1.example.test',
    connection = {},
    receivedAt,
    sentBy = {},
    version = '1.0',
  } = options;
  const record = {
    version,
    connection: { callId: 'C1', frontEnds: [frontEnd], timeStamp: `${DAY}${at}Z`, ...connection },
    events,
  };
  const text = JSON.stringify(record);
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return {
    id: `id ${digest}`,
    digest,
    size: text.length,
    receivedAt: receivedAt ?? Date.parse(`${DAY}00:00.500Z`),
    feed: recordFeed(record, sentBy),
    ...sentBy,
    record,
  };
}

export function stream(mediaType: string, from: Endpoint, to: Endpoint, more: Partial<StreamEvent> = {}): StreamEvent {
  return { kind: 'startOrUpdate', mediaType, from, to, codecs: [], ...more };
}

export function start(options?: ExampleOptions): FeedRecord {
  return example([stream('audio', anna, ben), stream('audio', ben, anna)], options);
}

export function end(options?: ExampleOptions): FeedRecord {
  return example([{ kind: 'ended', endpoints: [anna, ben] }], { at: '05:00', ...options });
}

export function failure(code: number, options?: ExampleOptions): FeedRecord {
  const diagnostics = {
    code: 11_007,
    items: [{ key: 'reason', value: 'not enabled' }],
    text: '11007;reason=not enabled',
  };
  return example(
    [{ kind: 'error', endpoints: [anna, ben], responseCode: { code, phrase: 'Forbidden' }, diagnostics }],
    {
      at: '00:01',
      ...options,
    },
  );
}

export function report(metrics: Record<string, number | Metric>, more: Partial<QualityEvent> = {}): QualityEvent {
  const read = Object.entries(metrics).map(([name, value]) => [name, typeof value === 'number' ? { value } : value]);
  return {
    kind: 'qualityUpdate',
    mediaType: 'video',
    from: anna,
    to: ben,
    codecs: [],
    metrics: Object.fromEntries(read) as QualityEvent['metrics'], // oxlint-disable-line typescript/no-unsafe-type-assertion -- fromEntries loses the type of the values made above
    ...more,
  };
}
