import { JetStreamApiError, type StreamConfig, type StreamState } from '@nats-io/jetstream';
import { createInbox, type Msg, type Subscription } from '@nats-io/transport-node';
import type { Bus } from '../bus.js';
import { withReplicas } from './replicas.js';

/** A stream as the server described it when a snapshot of it began. */
export interface SnapshotHead {
  readonly config: StreamConfig;
  readonly state: Pick<StreamState, 'messages' | 'first_seq' | 'last_seq'>;
}

/** The server waits for the answer to each piece of a snapshot; a busy one may pause between two pieces. */
const SILENCE_MS = 30_000;
const CHUNK_BYTES = 131_072;
/** The server builds its index of a restored stream before it answers. */
const RESTORE_MS = 300_000;
/** Status of the message behind the last piece of a complete snapshot. */
const COMPLETE = 204;
const STREAM_NOT_FOUND = 10_059;

/**
 * Reads a consistent copy of a stream and its consumers in the format of nats-server, while it is being written to. `write` is
 * called with one piece after the other. Undefined when there is no such stream.
 */
export async function createSnapshot(
  bus: Bus,
  stream: string,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<SnapshotHead | undefined> {
  const inbox = createInbox(bus.login.options().inboxPrefix);
  const pieces = bus.connection.subscribe(inbox);
  try {
    const head = await apiRequest(bus, `STREAM.SNAPSHOT.${stream}`, {
      deliver_subject: inbox,
      no_consumers: false,
      chunk_size: CHUNK_BYTES,
    });
    await readPieces(stream, pieces, write);
    return parseSnapshotHead(head);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  } finally {
    pieces.unsubscribe();
  }
}

async function readPieces(
  stream: string,
  pieces: Subscription,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isSilent = false;
  const watch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isSilent = true;
      pieces.unsubscribe();
    }, SILENCE_MS);
  };
  try {
    watch();
    for await (const piece of pieces) {
      if (piece.data.length === 0) return assertComplete(stream, piece);
      await write(piece.data);
      piece.respond();
      watch();
    }
  } finally {
    clearTimeout(timer);
  }
  const why = isSilent ? `the bus sent nothing for ${SILENCE_MS / 1_000} s` : 'the connection to the bus was closed';
  throw new Error(`the copy of the stream ${stream} is not complete: ${why}`);
}

function assertComplete(stream: string, { headers }: Msg): void {
  if (headers === undefined || headers.code === COMPLETE) return;
  throw new Error(`the copy of the stream ${stream} is not complete: ${headers.code} ${headers.description}`);
}

/**
 * Creates the stream again from a snapshot, with its sequences, times and consumers. Rejects when the stream exists, or when the
 * restored one ends before the snapshot; such a stream is deleted again. The server itself accepts pieces that lack only the last
 * ones, without the consumers: the caller must know that they are complete.
 */
export async function restoreSnapshot(bus: Bus, head: SnapshotHead, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const { name } = head.config;
  // The servers of the bus may be fewer than those of the copied one.
  const config = { ...head.config, num_replicas: bus.replicas ?? 1 };
  const { deliver_subject: subject } = await withReplicas(bus, () =>
    apiRequest(bus, `STREAM.RESTORE.${name}`, { config, state: head.state }),
  );
  if (typeof subject !== 'string') throw new Error(`the bus did not begin to restore the stream ${name}`);
  for await (const piece of pieces) {
    const { data } = await bus.connection.request(subject, piece, { timeout: SILENCE_MS });
    if (data.length > 0) throwApiError(JSON.parse(new TextDecoder().decode(data)));
  }
  const end = await bus.connection.request(subject, '', { timeout: RESTORE_MS });
  throwApiError(end.json());
  const { state } = await bus.jsm.streams.info(name);
  if (state.last_seq >= head.state.last_seq) return;
  await bus.jsm.streams.delete(name);
  throw new Error(
    `the restored stream ${name} ends at message ${state.last_seq}, and not at ${head.state.last_seq}: the copy is cut off`,
  );
}

/** Deletes a stream; nothing happens when there is none. */
export async function deleteStream(bus: Bus, stream: string): Promise<void> {
  try {
    await bus.jsm.streams.delete(stream);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** The number of messages of a stream; undefined when there is none. */
export async function messagesIn(bus: Bus, stream: string): Promise<number | undefined> {
  try {
    return (await bus.jsm.streams.info(stream)).state.messages;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** When the newest message of a stream was stored, milliseconds since 1970; undefined when there is none. */
export async function newestMessageAt(bus: Bus, stream: string): Promise<number | undefined> {
  try {
    const { state } = await bus.jsm.streams.info(stream);
    return state.messages === 0 ? undefined : Date.parse(state.last_ts);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** What {@link createSnapshot} has returned, read from a file. Throws when it is something else. */
export function parseSnapshotHead(value: unknown): SnapshotHead {
  const { config, state } = Object(value);
  const { messages, first_seq, last_seq } = Object(state);
  const isHead =
    typeof Object(config).name === 'string' &&
    [messages, first_seq, last_seq].every((each) => Number.isSafeInteger(each));
  if (!isHead) throw new Error('this does not describe the copy of a stream');
  return { config, state: { messages, first_seq, last_seq } };
}

async function apiRequest(bus: Bus, command: string, body: unknown): Promise<Record<string, unknown>> {
  const reply = await bus.connection.request(`$JS.API.${command}`, JSON.stringify(body), { timeout: SILENCE_MS });
  const answer: unknown = reply.json();
  throwApiError(answer);
  return Object(answer);
}

function throwApiError(answer: unknown): void {
  const { error } = Object(answer);
  if (error === undefined) return;
  const { code = 0, err_code = 0, description = 'an error without a description' } = Object(error);
  throw new JetStreamApiError({ code, err_code, description });
}

function isNotFound(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND;
}
