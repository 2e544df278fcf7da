import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Api } from '../api/api.js';
import type { CallMessage, MessageList } from '../api/answers.js';
import { callSegment } from '../api/call-segment.js';
import { streamEvents, reconnect } from '../api/follow-events.js';
import { useServices } from '../services/services.js';

export interface KnownMessages {
  /** Undefined until the first answer. */
  readonly items: readonly CallMessage[] | undefined;
  readonly isTruncated: boolean;
  /** Why the messages could not be read. */
  readonly problem: string | undefined;
  /** Whether newer messages do not arrive at the moment: the connection is tried again. */
  readonly isInterrupted: boolean;
  readonly retry: () => void;
}

export interface MessagesWanted {
  readonly callId: string;
  readonly legs: 'all' | undefined;
  /** Whether more may come. */
  readonly isOpen: boolean;
}

/** As many as one response contains. */
const MOST = 5_000;
const DRAW_EVERY = 250;
const NONE_YET: ReadonlyMap<string, CallMessage> = new Map();

export function messagesPath(callId: string): string {
  return `/api/calls/${callSegment(callId)}/messages`;
}

/** The messages of a call, followed while it runs. */
export function useMessages({ callId, legs, isOpen }: MessagesWanted): KnownMessages {
  const { api } = useServices();
  const list = useQuery({
    // Requested again when the call is over: the last messages are not missed when the stream is left.
    queryKey: ['messages', callId, legs, isOpen],
    queryFn: ({ signal }) => api.get<MessageList>(messagesPath(callId), { legs }, signal),
    placeholderData: (before, query) => (query?.queryKey[2] === legs ? before : undefined),
  });
  const [live, setLive] = useState(NONE_YET);
  const [lost, setLost] = useState<string>();
  useEffect(() => {
    if (!isOpen) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    void followMessages({
      api,
      path: `${messagesPath(callId)}/stream`,
      legs,
      signal,
      onMessages: setLive,
      onEnd: setLost,
    });
    return () => {
      stop.abort();
      setLive(NONE_YET);
      setLost(undefined);
    };
  }, [api, callId, legs, isOpen]);
  const { data, error, refetch } = list;
  const items = useMemo(() => (data === undefined ? undefined : merged(data.items, live)), [data, live]);
  return {
    items,
    isTruncated: data?.isTruncated ?? false,
    problem: error?.message,
    isInterrupted: lost !== undefined,
    retry: () => void refetch(),
  };
}

interface FollowOptions {
  readonly api: Api;
  readonly path: string;
  readonly legs: 'all' | undefined;
  readonly signal: AbortSignal;
  /** All messages of the stream so far, by id. */
  readonly onMessages: (messages: ReadonlyMap<string, CallMessage>) => void;
  /** With a reason when the connection is lost, without one when messages come again. */
  readonly onEnd: (reason: string | undefined) => void;
}

async function followMessages({ api, path, legs, signal, onMessages, onEnd }: FollowOptions): Promise<void> {
  const known = new Map<string, CallMessage>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const draw = (): void => {
    timer = undefined;
    onMessages(new Map(known));
  };
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  await reconnect({
    signal,
    connect: async (connected) => {
      const onOpen = (): void => {
        connected();
        onEnd(undefined);
      };
      for await (const event of streamEvents({ api, path, query: { legs }, signal, onOpen })) {
        if (event?.name !== 'message') continue;
        // Of the shape that docs/openapi.yaml gives the stream.
        const message: CallMessage = JSON.parse(event.data);
        if (known.size < MOST || known.has(message.id)) known.set(message.id, message);
        timer ??= setTimeout(draw, DRAW_EVERY);
      }
    },
    onEnd,
  });
}

function merged(items: readonly CallMessage[], live: ReadonlyMap<string, CallMessage>): readonly CallMessage[] {
  if (live.size === 0) return items;
  const all = new Map(items.map((each) => [each.id, each]));
  for (const [id, message] of live) all.set(id, message);
  return [...all.values()].slice(0, MOST);
}
