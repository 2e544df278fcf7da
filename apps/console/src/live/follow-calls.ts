import { ApiError, type Api } from '../api/api.js';
import type { Call, CallsInProgress } from '../api/answers.js';
import { listPages } from '../api/pages.js';
import type { StreamEvent } from '../api/event-stream.js';
import { streamEvents, reconnect } from '../api/follow-events.js';
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

const PAGE = 200;
/** As many as the console lists; with more calls it shows how many are missing. */
const MOST_PAGES = 50;

/** Follows the live stream until the signal is aborted, across restarts of the server. */
export async function followCalls(options: FollowOptions): Promise<void> {
  const { api, calls, signal, onStatus } = options;
  const path = '/api/calls/stream';
  let lastEventId = '';
  onStatus({ kind: 'connecting' });
  await reconnect({
    signal,
    connect: async (connected) => {
      // If the list is incomplete, a snapshot is requested instead of the changes.
      for await (const event of streamEvents({ api, path, signal, lastEventId: calls.isWhole ? lastEventId : '' })) {
        connected();
        onStatus({ kind: 'live' });
        if (event === undefined) continue;
        lastEventId = event.id;
        if (event.name === 'snapshot') {
          startOver(options, event);
        } else if (event.name === 'call') {
          // Of the shape that docs/openapi.yaml gives the stream.
          const call: Call = JSON.parse(event.data);
          calls.upsert(call, Date.now());
        }
      }
    },
    onEnd: (reason, isFinal) => onStatus({ kind: isFinal ? 'refused' : 'reconnecting', reason }),
  });
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
    for await (const page of listPages<Call>(api, { path: '/api/calls', query, most: MOST_PAGES, signal })) {
      for (const call of page.items) calls.upsert(call, Date.now(), false);
      if (page.next === null) return calls.endFill();
    }
  } catch (error) {
    // The view shows how many are missing; the next snapshot tries again.
    if (!(error instanceof ApiError) && !signal.aborted) throw error;
  }
  calls.cancelFill();
}
