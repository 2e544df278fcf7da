import { ApiError, type Api } from '../api/api.js';
import type { Call, CallsInProgress } from '../api/answers.js';
import { pagesOf } from '../api/pages.js';
import { EventStreamParser, type StreamEvent } from './event-stream.js';
import type { LiveCallList } from './live-calls.js';

/** `live`: the list is current; otherwise the reason why it is not. */
export type LiveStatus =
  { readonly kind: 'connecting' | 'live' } | { readonly kind: 'reconnecting' | 'refused'; readonly reason: string };

export interface FollowOptions {
  readonly api: Api;
  readonly calls: LiveCallList;
  readonly signal: AbortSignal;
  readonly onStatus: (status: LiveStatus) => void;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
/** The server writes something every 15 seconds; otherwise the connection was lost without notice. */
const SILENCE = 40_000;
const PAGE = 200;
/** As many as the console lists; with more calls it shows how many are missing. */
const MOST_PAGES = 50;

/** Follows the live stream until the signal is aborted, across restarts of the server. */
export async function followCalls(options: FollowOptions): Promise<void> {
  const { signal, onStatus } = options;
  let lastEventId = '';
  let wait = FIRST_WAIT;
  onStatus({ kind: 'connecting' });
  while (!signal.aborted) {
    try {
      // If the list is incomplete, a snapshot is requested instead of the changes.
      for await (const event of events(options, options.calls.isWhole ? lastEventId : '')) {
        wait = FIRST_WAIT;
        onStatus({ kind: 'live' });
        if (event === undefined) continue;
        lastEventId = event.id;
        if (event.name === 'snapshot') {
          startOver(options, event);
        } else if (event.name === 'call') {
          // Of the shape that docs/openapi.yaml gives the stream.
          const call: Call = JSON.parse(event.data);
          options.calls.upsert(call, Date.now());
        }
      }
      if (!signal.aborted) onStatus({ kind: 'reconnecting', reason: 'The server has ended the stream.' });
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof ApiError && !error.isPassing) return onStatus({ kind: 'refused', reason });
      onStatus({ kind: 'reconnecting', reason });
    }
    // Spreads the reconnections of all browsers when a server comes back.
    await pause(wait * (0.75 + Math.random() / 2), signal);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}

function startOver(options: FollowOptions, event: StreamEvent): void {
  // Of the shape that docs/openapi.yaml gives the stream.
  const snapshot: CallsInProgress = JSON.parse(event.data);
  options.calls.replace(snapshot, Date.now());
  // The rest is fetched in pages while the stream continues.
  if (snapshot.total > snapshot.calls.length) void fill(options);
}

/** Fetches the calls in progress beyond the snapshot. */
async function fill({ api, calls, signal }: FollowOptions): Promise<void> {
  const query = { state: 'invited,active,held', limit: PAGE };
  try {
    for await (const page of pagesOf<Call>(api, { path: '/api/calls', query, most: MOST_PAGES, signal })) {
      for (const call of page.items) calls.upsert(call, Date.now(), false);
      if (page.next === null) return calls.endFill();
    }
  } catch (error) {
    // The view shows how many are missing; the next snapshot tries again.
    if (!(error instanceof ApiError) && !signal.aborted) throw error;
  }
  calls.cancelFill();
}

/** Yields undefined first when the stream resumes after an event, because there may be no new events. */
async function* events({ api, signal }: FollowOptions, lastEventId: string): AsyncGenerator<StreamEvent | undefined> {
  const silence = new AbortController();
  const headers: Record<string, string> = lastEventId === '' ? {} : { 'last-event-id': lastEventId };
  const answer = await api.open('/api/calls/stream', { headers, signal: AbortSignal.any([signal, silence.signal]) });
  if (answer.body === null) return;
  if (lastEventId !== '') yield undefined;
  const parser = new EventStreamParser();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let timer = setTimeout(() => silence.abort(), SILENCE);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE);
      yield* parser.push(value);
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
