import { errorReason } from '@ringdown/errors';
import type { FeedsOptions } from '@ringdown/feed-client';
import { feedSummary, type FeedSummary } from '@ringdown/feed-client/command';
import { BackFill } from './back-fill.js';
import { DemoFeed } from './demo-feed.js';
import type { DemoProgress } from './demo-progress.js';
import { createViews } from './demo-views.js';
import { readEarlierRuns, type EarlierRuns } from './earlier-runs.js';
import { UNKNOWN_PAST } from './gaps.js';
import { hangUp } from './hang-up.js';
import { LiveCalls } from './live-calls.js';
import { OperatorApi, type OperatorAccess } from './operator-api.js';
import { chooseCulprit, culpritText, type CulpritChoice } from './calls/culprits.js';
import { demoFrontEnds } from './calls/places.js';
import { storyOfCulprit, storyUntil, type Period, type Story } from './calls/story.js';

export interface DemoOptions extends FeedsOptions {
  readonly seed: number;
  readonly frontEnds: number;
  /** How far the back-fill goes back; undefined: to the beginning of yesterday. */
  readonly hours: number | undefined;
  /** What is wrong in the company; undefined: the story of the demo. */
  readonly culprit: CulpritChoice | undefined;
  /** How long calls are kept going after the back-fill, milliseconds. */
  readonly liveMs: number;
  /** Left out: no alert rules, and nothing is known of earlier runs. */
  readonly operator: OperatorAccess | undefined;
  readonly progress: DemoProgress;
}

const MIXED =
  'The calls of an earlier demo in this system stay as they are: only those that are sent now follow --culprit.';
/** For the last records after an interrupt; then calls stay open if the collector is away. */
const LAST_RECORDS_MS = 8_000;
/** Of the past hour, calls have all details. */
const DETAILED_MS = 3_600_000;

/** Runs the demo until it is stopped. Throws NoCollector before the first record when no collector answers. */
export async function runDemo(options: DemoOptions): Promise<FeedSummary> {
  const { seed, signal, progress, liveMs } = options;
  const began = performance.now();
  const frontEnds = demoFrontEnds(options.frontEnds);
  const names = frontEnds.map(({ name }) => name);
  const feed = await DemoFeed.open(names, { ...options, onAway: progress.onAway, onBack: progress.onBack });
  const closing = (): void => void setTimeout(() => feed.close(), LAST_RECORDS_MS).unref();
  signal.addEventListener('abort', closing);
  try {
    const to = Date.now();
    const story = demoStory(options, to);
    const past = { from: demoBeginning(to, options.hours), to };
    const { gaps, openCalls } = await earlierRuns(names, past, options);
    await feed.send(openCalls.map(hangUp));
    const planning = { seed, frontEnds, story, detailsFrom: to - DETAILED_MS };
    const sending = { ...past, gaps, signal, onProgress: progress.filled };
    const backFill = new BackFill(feed, { ...planning, ...sending, isLive: false });
    progress.filling(past.from, backFill.length, backFill.isWhole);
    if (options.culprit !== undefined && !backFill.isWhole) progress.note(MIXED);
    await backFill.sendNewest();
    const stop = AbortSignal.any([signal, AbortSignal.timeout(liveMs)]);
    const live = new LiveCalls(feed, { ...planning, isLive: true, signal: stop, onProgress: progress.live });
    await Promise.all([live.run(backFill.unfinished, to), backFill.sendOlder()]);
    progress.ended();
    if (options.culprit === 'random') progress.note(culpritText(story.instead?.culprit));
    const calls = backFill.calls + live.calls;
    return feedSummary({ feeds: [feed], calls, frontEnds: frontEnds.length, began, interrupted: signal.aborted });
  } finally {
    signal.removeEventListener('abort', closing);
    feed.close();
  }
}

function demoStory({ culprit, seed }: DemoOptions, now: number): Story {
  return culprit === undefined ? storyUntil(now) : storyOfCulprit(chooseCulprit(culprit, seed));
}

function demoBeginning(now: number, hours: number | undefined): number {
  if (hours !== undefined) return now - hours * 3_600_000;
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1).getTime();
}

/** Also creates the alert rules of the demo. */
async function earlierRuns(
  names: readonly string[],
  past: Period,
  { operator, progress, signal }: DemoOptions,
): Promise<EarlierRuns> {
  const nothing: EarlierRuns = { gaps: UNKNOWN_PAST, openCalls: [] };
  if (operator === undefined) return nothing;
  try {
    const api = await OperatorApi.signIn(operator);
    await createViews(api);
    return await readEarlierRuns(api, names, past, signal);
  } catch (error) {
    progress.note(`no alert rules, and calls of earlier runs are sent again: ${errorReason(error)}`);
    return nothing;
  }
}
