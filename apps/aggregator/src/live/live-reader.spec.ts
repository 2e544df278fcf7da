import { eventually, quietLogger } from '@ringdown/testing';
import { PassThrough } from 'node:stream';
import { end, start } from '../../test/call-examples.js';
import type { Call } from '../calls/call.js';
import { fold } from '../calls/fold.js';
import { LiveReader, QUEUE_LIMIT } from './live-reader.js';
import { snapshotOf, type Snapshot } from './snapshot.js';

function call(callId: string, version = 1, state: Call['state'] = 'active'): Call {
  return { ...fold([], [start()]).call, callId, version, state };
}

interface Watched {
  readonly reader: LiveReader;
  readonly output: PassThrough;
  /** Names of the events that were written so far, `call` ones with their CallId and version. */
  readonly seen: () => readonly string[];
  finished: boolean;
}

/** A reader that runs; `paused` ones take nothing from their connection. */
async function watch(snapshot: () => Promise<Snapshot>, paused = false): Promise<Watched> {
  const output = new PassThrough({ highWaterMark: 1 });
  let text = '';
  if (!paused) output.on('data', (piece: Buffer) => (text += piece.toString()));
  let id = 0;
  const reader = new LiveReader({
    output,
    snapshot,
    nextEventId: () => String(++id),
    allowedUntil: Date.now() + 60_000,
    isStillAllowed: () => Promise.resolve(true),
    logger: quietLogger(),
  });
  const seen = (): readonly string[] =>
    text.split('\n\n').flatMap((block) => {
      const [, name = '', data = '{}'] = /event: (.*)\ndata: (.*)/.exec(block) ?? [];
      const { callId, version } = JSON.parse(data) as Call;
      return name === '' ? [] : name === 'call' ? `${callId} ${version}` : name;
    });
  const watched = { reader, output, seen, finished: false };
  await reader.prepare();
  void reader.run().then(() => (watched.finished = true));
  return watched;
}

function inProgress(...calls: readonly Call[]): () => Promise<Snapshot> {
  return () => Promise.resolve(snapshotOf({ calls, total: calls.length }));
}

describe('a reader of the live stream', () => {
  it('gets the snapshot, then changes, but none that the snapshot has already', async () => {
    const { reader, seen } = await watch(inProgress(call('A', 3)));
    reader.offer(call('a', 2));
    reader.offer(call('B', 1));
    await eventually('the change', () => seen().includes('B 1'));
    expect(seen()).toEqual(['snapshot', 'B 1']);
    reader.end();
  });

  it('gets only the newest state of a call that changes faster than it reads', async () => {
    const { reader, output, seen } = await watch(inProgress(), true);
    await eventually('a full connection', () => output.writableNeedDrain);
    for (const version of [1, 2, 4, 3]) reader.offer(call('A', version));
    let text = '';
    output.on('data', (piece: Buffer) => (text += piece.toString()));
    await eventually('the change', () => text.includes('event: call'));
    expect(text.match(/"version":\d/g)).toEqual(['"version":4']);
    expect(seen()).toEqual([]);
    reader.end();
  });

  it('gets a new snapshot instead of a queue without bounds', async () => {
    let snapshots = 0;
    const { reader, output } = await watch(() => {
      snapshots++;
      return inProgress(call('A'))();
    }, true);
    await eventually('a full connection', () => output.writableNeedDrain);
    for (let n = 0; n <= QUEUE_LIMIT; n++) reader.offer(call(`call ${n}`));
    let text = '';
    output.on('data', (piece: Buffer) => (text += piece.toString()));
    await eventually('the second snapshot', () => text.split('event: snapshot').length === 3);
    expect(snapshots).toBe(2);
    expect(text).not.toContain('event: call');
    reader.end();
  });

  it('is given a snapshot again when the database is back', async () => {
    let asked = 0;
    const { reader, seen } = await watch(() => {
      asked++;
      return asked === 2 ? Promise.reject(new Error('away')) : inProgress()();
    });
    reader.readAgain();
    await eventually('the second snapshot', () => asked === 3 && seen().length === 2);
    expect(seen()).toEqual(['snapshot', 'snapshot']);
    reader.end();
  });

  it('does not begin when there is no first snapshot', async () => {
    await expect(watch(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  });

  it('is forgotten when its connection closes, even while it is slow', async () => {
    const watched = await watch(inProgress(call('A')), true);
    await eventually('a full connection', () => watched.output.writableNeedDrain);
    watched.output.destroy();
    expect(await eventually('the end', () => watched.finished)).toBe(true);
  });

  it('does not hold up the end of the service, even while it is slow', async () => {
    const { call: ended } = fold([], [start(), end()]);
    const watched = await watch(inProgress(ended), true);
    await eventually('a full connection', () => watched.output.writableNeedDrain);
    watched.reader.end();
    await eventually('the end', () => watched.finished);
    expect(watched.output.destroyed).toBe(true);
  });
});
