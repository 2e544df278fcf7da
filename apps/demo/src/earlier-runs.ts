import { pause } from '@ringdown/feed-client/command';
import { gapsBetween, SHORTEST_GAP_MS } from './gaps.js';
import { answerItems, textValue, type OperatorApi } from './operator-api.js';
import type { OpenCall } from './hang-up.js';
import type { Period } from './calls/story.js';

export interface EarlierRuns {
  /** When no call of the demo began: these periods are to be filled in. */
  readonly gaps: readonly Period[];
  /** Of a run that was killed. */
  readonly openCalls: readonly OpenCall[];
}

const MINUTE_SECONDS = 60;
/** At most 1,000 are read at once. */
const CHUNK_MS = 1_000 * MINUTE_SECONDS * 1_000;
const PAGE = 200;
/** Records of a run that was interrupted a moment ago may still wait to be processed. */
const PROCESSED_WITHIN_MS = 20_000;
const CHECK_EVERY_MS = 500;

/** What the system has of these front ends. */
export async function readEarlierRuns(
  api: OperatorApi,
  frontEnds: readonly string[],
  past: Period,
  signal: AbortSignal,
): Promise<EarlierRuns> {
  await allProcessed(api, signal);
  // A gap may have begun before.
  const asked = { from: past.from - SHORTEST_GAP_MS, to: past.to };
  const minutes = await minutesWithCalls(api, frontEnds, asked);
  return { gaps: gapsBetween(minutes, asked), openCalls: await openCallsOf(api, frontEnds) };
}

async function allProcessed(api: OperatorApi, signal: AbortSignal): Promise<void> {
  const until = performance.now() + PROCESSED_WITHIN_MS;
  while (!signal.aborted && performance.now() < until) {
    const partitions = answerItems(await api.get('/api/services'), 'partitions');
    if (partitions.every(({ waitingMessages }) => Number(waitingMessages) === 0)) return;
    await pause(CHECK_EVERY_MS, signal);
  }
}

async function minutesWithCalls(
  api: OperatorApi,
  frontEnds: readonly string[],
  { from, to }: Period,
): Promise<readonly number[]> {
  const minutes: number[] = [];
  for (let begin = Math.floor(from / 60_000) * 60_000; begin < to; begin += CHUNK_MS) {
    const query = frontEndQuery(frontEnds, {
      from: new Date(begin).toISOString(),
      to: new Date(Math.min(begin + CHUNK_MS, to)).toISOString(),
      bucketSeconds: String(MINUTE_SECONDS),
    });
    const counts = answerItems(await api.get(`/api/statistics/streams?${query}`), 'items');
    minutes.push(...counts.filter(({ calls }) => Number(calls) > 0).map(({ at }) => Date.parse(textValue(at))));
  }
  return minutes;
}

async function openCallsOf(api: OperatorApi, frontEnds: readonly string[]): Promise<readonly OpenCall[]> {
  const calls: OpenCall[] = [];
  for (let cursor = '', isLast = false; !isLast;) {
    const query = frontEndQuery(frontEnds, { state: 'invited,active,held', last: 'all', limit: String(PAGE) });
    const page = await api.get(`/api/calls?${query}${cursor}`);
    calls.push(...answerItems(page, 'items').map((call) => openCallOf(call, frontEnds)));
    const { next } = Object(page);
    isLast = typeof next !== 'string';
    cursor = `&cursor=${encodeURIComponent(String(next))}`;
  }
  return calls;
}

function openCallOf(call: Readonly<Record<string, unknown>>, frontEnds: readonly string[]): OpenCall {
  const { callId, state, beganAt, lastReceivedAt, conversationId } = call;
  const named = Array.isArray(call['frontEnds']) ? call['frontEnds'] : [];
  return {
    callId: textValue(callId),
    conversationId: textValue(conversationId),
    frontEnd: frontEnds.find((name) => named.includes(name)) ?? '',
    isAnswered: state !== 'invited',
    beganAt: Date.parse(textValue(beganAt)),
    lastReceivedAt: Date.parse(textValue(lastReceivedAt)),
    tags: answerItems(call, 'parties').map(({ id }) => textValue(id)),
  };
}

function frontEndQuery(frontEnds: readonly string[], parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters);
  for (const name of frontEnds) query.append('frontEnd', name);
  return query.toString();
}
