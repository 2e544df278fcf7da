import { ApiError, type Api } from './api.js';
import type { Query } from './query-text.js';
import { EventStreamParser, type StreamEvent } from './event-stream.js';
import { texts } from '../texts/api.js';

export interface EventsOptions {
  readonly api: Api;
  readonly path: string;
  readonly query?: Query;
  readonly signal: AbortSignal;
  readonly lastEventId?: string;
  /** Called when the server has accepted, before the first event. */
  readonly onOpen?: () => void;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
/** The server writes something every 15 seconds; otherwise the connection was lost without notice. */
const SILENCE = 40_000;

/**
 * The events of one connection. Yields undefined first when the stream resumes after an event, because there may be no new
 * events. Rejects as {@link Api.open} does.
 */
export async function* streamEvents(options: EventsOptions): AsyncGenerator<StreamEvent | undefined> {
  const { api, path, query = {}, signal, lastEventId = '', onOpen } = options;
  const silence = new AbortController();
  const headers: Record<string, string> = lastEventId === '' ? {} : { 'last-event-id': lastEventId };
  const answer = await api.open(path, { query, headers, signal: AbortSignal.any([signal, silence.signal]) });
  onOpen?.();
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

export interface Reconnecting {
  readonly signal: AbortSignal;
  /** Reads one connection to its end, and calls back when it is of use. */
  readonly connect: (connected: () => void) => Promise<void>;
  /** `isFinal`: the server refuses, and no other connection is tried. */
  readonly onEnd: (reason: string, isFinal: boolean) => void;
}

/** Connects again until the signal is aborted, or the server refuses. */
export async function reconnect({ signal, connect, onEnd }: Reconnecting): Promise<void> {
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    try {
      await connect(() => (wait = FIRST_WAIT));
      if (!signal.aborted) onEnd(texts.streamClosed, false);
    } catch (error) {
      if (signal.aborted) return;
      const isFinal = error instanceof ApiError && !error.isPassing;
      onEnd(error instanceof Error ? error.message : String(error), isFinal);
      if (isFinal) return;
    }
    // Spreads the reconnections of all browsers when a server comes back.
    await pause(wait * (0.75 + Math.random() / 2), signal);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
