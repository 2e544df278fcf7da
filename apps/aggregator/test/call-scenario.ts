import { recordFeed } from '@ringdown/contracts/feed-of';
import type { Endpoint, RecordEvent, StreamEvent } from '@ringdown/xml-schemas/record';
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import type { FeedRecord } from '../src/calls/feed-record.js';

/** What happens on a call of a later version, step by step, a second or more apart. */
export type Step =
  | { readonly what: 'invite' | 'hold' | 'retrieve' | 'bye' | 'report' }
  | { readonly what: 'start' | 'drop' | 'measure'; readonly medium: Medium };

export type Medium = 'audio' | 'video';

export interface Scenario {
  readonly steps: readonly Step[];
  /** Milliseconds by which each front end's clock is ahead; every front end reports everything. */
  readonly clocks: readonly number[];
}

export const anna: Endpoint = { id: 'a1', epId: 'e1', uri: 'sip:anna@example.test', ip: '10.0.0.1', port: 50_000 };
export const ben: Endpoint = { id: 'b2', epId: 'e2', uri: 'sip:ben@example.test', ip: '10.0.0.2', port: 50_002 };

const DAY = Date.parse('2026-03-02T10:00:00Z');
const SECOND = 1_000;
/** Milliseconds from one step to the next; longer than any delay during transport. */
export const PAUSE = 7 * SECOND;

/** Plausible calls: media exist before they are dropped or held, and only the report follows the goodbye. */
export function anyScenario(frontEnds: number): fc.Arbitrary<Scenario> {
  const wishes = fc.array(fc.constantFrom('video', 'hold', 'retrieve', 'measure') satisfies fc.Arbitrary<Wish>, {
    maxLength: 7,
  });
  const ending = fc.constantFrom<readonly Step[]>(
    [],
    [{ what: 'bye' }],
    [{ what: 'bye' }, { what: 'report' }],
    [{ what: 'report' }, { what: 'bye' }],
  );
  const skew = fc.integer({ min: -30, max: 60 }).map((seconds) => seconds * SECOND);
  return fc.record({
    steps: fc
      .tuple(fc.boolean(), wishes, ending)
      .map(([invited, middle, end]) => [
        ...(invited ? [{ what: 'invite' } as const] : []),
        { what: 'start', medium: 'audio' } as const,
        ...possible(middle),
        ...end,
      ]),
    clocks: fc.array(skew, { minLength: frontEnds, maxLength: frontEnds }),
  });
}

type Wish = 'video' | 'hold' | 'retrieve' | 'measure';

/** `video` adds it, or drops it when it exists. */
function possible(wishes: readonly Wish[]): Step[] {
  let hasVideo = false;
  return wishes.map((wish): Step => {
    if (wish === 'measure') return { what: 'measure', medium: 'audio' };
    if (wish !== 'video') return { what: wish };
    hasVideo = !hasVideo;
    return { what: hasVideo ? 'start' : 'drop', medium: 'video' };
  });
}

/** The record that each front end sends at each step, in order. */
export function scenarioRecords({ steps, clocks }: Scenario): readonly FeedRecord[] {
  const media = new Set<Medium>();
  return steps.flatMap((step, index) => {
    const events = stepEvents(step, media);
    return clocks.map((ahead, frontEnd) => {
      const at = DAY + index * PAUSE;
      const timeStamp = new Date(at + ahead).toISOString().replace('Z', '0000Z');
      const connection = {
        callId: 'C1',
        cseq: index + 1,
        frontEnds: [`fe${frontEnd}.example.test`],
        conversationId: 'conversation',
        timeStamp,
        ...(step.what === 'report' || step.what === 'measure'
          ? { startTime: new Date(DAY).toISOString(), endTime: new Date(at).toISOString() }
          : {}),
      };
      const { cseq: _cseq, ...ofReport } = connection;
      const record = { version: 'D', connection: step.what === 'report' ? ofReport : connection, events };
      const digest = createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 22);
      return {
        id: `id ${digest}`,
        digest,
        size: 1_000,
        receivedAt: at + 100 + frontEnd,
        feed: recordFeed(record, {}),
        record,
      };
    });
  });
}

function stepEvents(step: Step, media: Set<Medium>): readonly RecordEvent[] {
  switch (step.what) {
    case 'invite':
      return [{ kind: 'invite', caller: anna, callee: { uri: ben.uri ?? '' } }];
    case 'start':
      media.add(step.medium);
      return both((from, to) => stream('start', step.medium, from, to, 60_000));
    case 'hold':
    case 'retrieve':
      return [...media].flatMap((medium) =>
        both((from, to) => stream('update', medium, from, to, step.what === 'hold' ? 0 : 60_000)),
      );
    case 'drop':
      media.delete(step.medium);
      return both((from, to) => ({ kind: 'ended', mediaType: step.medium, from, to }));
    case 'bye':
      return [
        ...[...media].flatMap((mediaType) => both((from, to) => ({ kind: 'ended', mediaType, from, to }) as const)),
        { kind: 'bye', endpoints: [anna, ben] },
      ];
    case 'measure':
      return both((from, to) => ({ kind: 'inCallQuality', mediaType: step.medium, from, to, codecs: [], metrics: {} }));
    // The report at the end.
    default:
      return both((from, to) => ({ kind: 'qualityUpdate', mediaType: 'audio', from, to, codecs: [], metrics: {} }));
  }
}

function both(make: (from: Endpoint, to: Endpoint) => RecordEvent): RecordEvent[] {
  return [make(anna, ben), make(ben, anna)];
}

function stream(kind: 'start' | 'update', mediaType: Medium, from: Endpoint, to: Endpoint, bits: number): StreamEvent {
  return { kind, mediaType, from, to, bandwidth: { average: bits, maximum: bits }, codecs: [{ name: 'SILK/16000' }] };
}
