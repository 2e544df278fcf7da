import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { PassThrough } from 'node:stream';
import { end, start } from '../../test/call-examples.js';
import type { Call } from '../calls/call.js';
import { fold } from '../calls/fold.js';
import { LiveReader, QUEUE_LIMIT } from './live-reader.js';
import type { LivePosition } from './live-position.js';
import type { LiveChange } from './recent-changes.js';
import { liveSnapshot, type Snapshot } from './snapshot.js';

function call(callId: string, version = 1, state: Call['state'] = 'active'): Call {
  return { ...fold([], [start()]).call, callId, version, state };
}

function at(sequence: number): LivePosition {
  return { epoch: 'abcdef01', sequence, storedAt: 0 };
}

function change(sequence: number, ...calls: readonly Call[]): LiveChange {
  return { position: at(sequence), before: at(sequence - 1), calls };
}

interface Watched {
  readonly reader: LiveReader;
  readonly output: PassThrough;
  /** Ids of the events that were written so far. */
  readonly ids: () => readonly string[];
  /** Names of the events that were written so far, `call` ones with their CallId and version. */
  readonly seen: () => readonly string[];
  finished: boolean;
}

/** A running reader; a `paused` one does not read from its connection. */
async function watch(
  snapshot: () => Promise<Snapshot>,
  { paused = false, begin = (reader: LiveReader): void | Promise<void> => reader.prepare() } = {},
): Promise<Watched> {
  const output = new PassThrough({ highWaterMark: 1 });
  let text = '';
  if (!paused) output.on('data', (piece: Buffer) => (text += piece.toString()));
  const reader = new LiveReader({
    output,
    textOfCall: (call) => Promise.resolve(JSON.stringify(call)),
    textOfSnapshot: ({ inProgress }) => Promise.resolve(JSON.stringify(inProgress)),
    snapshot,
    allowedUntil: Date.now() + 60_000,
    onRevoked: () => () => undefined,
    isStillAllowed: () => Promise.resolve(true),
    logger: quietLogger(),
  });
  const seen = (): readonly string[] =>
    text.split('\n\n').flatMap((block) => {
      const [, name = '', data = '{}'] = /event: (.*)\ndata: (.*)/.exec(block) ?? [];
      const { callId, version } = JSON.parse(data) as Call;
      return name === '' ? [] : name === 'call' ? `${callId} ${version}` : name;
    });
  const ids = (): readonly string[] => [...text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id);
  const watched = { reader, output, seen, ids, finished: false };
  await begin(reader);
  void reader.run().then(() => (watched.finished = true));
  return watched;
}

function inProgress(...calls: readonly Call[]): () => Promise<Snapshot> {
  return () => Promise.resolve(liveSnapshot({ calls, total: calls.length }, at(7)));
}

describe('a reader of the live stream', () => {
  it('receives the snapshot, then changes, but none that the snapshot contains', async () => {
    const { reader, seen } = await watch(inProgress(call('A', 3)));
    reader.offer(change(8, call('a', 2)));
    reader.offer(change(9, call('B', 1)));
    await eventually('the change', () => seen().includes('B 1'));
    expect(seen()).toEqual(['snapshot', 'B 1']);
    reader.end();
  });

  it('receives only the newest state of a call that changes faster than it reads', async () => {
    const { reader, output, seen } = await watch(inProgress(), { paused: true });
    await eventually('a full connection', () => output.writableNeedDrain);
    for (const version of [1, 2, 4, 3]) reader.offer(change(8, call('A', version)));
    let text = '';
    output.on('data', (piece: Buffer) => (text += piece.toString()));
    await eventually('the change', () => text.includes('event: call'));
    expect(text.match(/"version":\d/g)).toEqual(['"version":4']);
    expect(seen()).toEqual([]);
    reader.end();
  });

  it('receives a new snapshot instead of an unlimited queue', async () => {
    let snapshots = 0;
    const { reader, output } = await watch(
      () => {
        snapshots++;
        return inProgress(call('A'))();
      },
      { paused: true },
    );
    await eventually('a full connection', () => output.writableNeedDrain);
    for (let n = 0; n <= QUEUE_LIMIT; n++) reader.offer(change(8 + n, call(`call ${n}`)));
    let text = '';
    output.on('data', (piece: Buffer) => (text += piece.toString()));
    await eventually('the second snapshot', () => text.split('event: snapshot').length === 3);
    expect(snapshots).toBe(2);
    expect(text).not.toContain('event: call');
    reader.end();
  });

  it('receives a snapshot again when the database is back', async () => {
    let requests = 0;
    const { reader, seen } = await watch(() => {
      requests++;
      return requests === 2 ? Promise.reject(new Error('away')) : inProgress()();
    });
    reader.readAgain();
    await eventually('the second snapshot', () => requests === 3 && seen().length === 2);
    expect(seen()).toEqual(['snapshot', 'snapshot']);
    reader.end();
  });

  it('receives with each event the position up to which it has everything', async () => {
    const { reader, output, ids } = await watch(inProgress(), { paused: true });
    await eventually('a full connection', () => output.writableNeedDrain);
    let text = '';
    output.on('data', (piece: Buffer) => (text += piece.toString()));
    reader.offer(change(8, call('A', 1), call('B', 1)));
    reader.offer(change(9, call('C', 1)));
    reader.offer(change(10, call('A', 2)));
    await eventually('all call events', () => text.split('event: call').length === 4);
    // Of message 8, B is still to come when A is sent; of A, the state of message 10 was sent early.
    const sentIds = [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
    expect(sentIds).toEqual(['abcdef01-7-0', 'abcdef01-7-0', 'abcdef01-8-0', 'abcdef01-10-0']);
    expect(ids()).toEqual([]);
    reader.end();
  });

  it('does not receive a position older than its snapshot', async () => {
    const { reader, ids } = await watch(inProgress());
    for (const sequence of [5, 6]) reader.offer(change(sequence, call('late', sequence)));
    await eventually('both events', () => ids().length === 2);
    expect(ids()).toEqual(['abcdef01-7-0', 'abcdef01-7-0']);
    reader.end();
  });

  it('receives an empty id when the position is not known, so that it does not return with an old one', async () => {
    const { reader, ids } = await watch(() => Promise.resolve(liveSnapshot({ calls: [], total: 0 }, undefined)));
    await eventually('the snapshot', () => ids().length === 1);
    expect(ids()).toEqual(['']);
    reader.end();
  });

  it('resumes after its return with the newest state of each missed call and without a snapshot', async () => {
    const missed = [change(4, call('A', 2), call('B', 1)), change(5, call('A', 3))];
    const { reader, seen, ids } = await watch(inProgress(call('A')), {
      begin: (resumed) => resumed.resume(at(3), missed),
    });
    await eventually('the missed change', () => seen().length === 2);
    reader.offer(change(6, call('C', 1)));
    await eventually('the next change', () => seen().length === 3);
    expect(seen()).toEqual(['A 3', 'B 1', 'C 1']);
    expect(ids()).toEqual(['abcdef01-3-0', 'abcdef01-5-0', 'abcdef01-6-0']);
    reader.end();
  });

  it('receives a snapshot after its return when it has missed more than may wait', async () => {
    const calls = Array.from({ length: QUEUE_LIMIT + 1 }, (_, n) => call(`call ${n}`));
    const { reader, seen } = await watch(inProgress(call('A')), {
      begin: (resumed) => resumed.resume(at(3), [change(4, ...calls)]),
    });
    await eventually('the snapshot', () => seen().length > 0);
    expect(seen()).toEqual(['snapshot']);
    reader.end();
  });

  it('does not start when the first snapshot cannot be read', async () => {
    await expect(watch(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  });

  it('is removed when its connection closes, even while it is slow', async () => {
    const watched = await watch(inProgress(call('A')), { paused: true });
    await eventually('a full connection', () => watched.output.writableNeedDrain);
    watched.output.destroy();
    expect(await eventually('the end', () => watched.finished)).toBe(true);
  });

  it('does not delay the end of the service, even while it is slow', async () => {
    const { call: ended } = fold([], [start(), end()]);
    const watched = await watch(inProgress(ended), { paused: true });
    await eventually('a full connection', () => watched.output.writableNeedDrain);
    watched.reader.end();
    await eventually('the end', () => watched.finished);
    expect(watched.output.destroyed).toBe(true);
  });
});
