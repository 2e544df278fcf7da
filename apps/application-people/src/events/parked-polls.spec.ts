import { quietLogger } from '@ringdown/testing/quiet-logger';
import { jest } from '@jest/globals';
import { append } from './append.js';
import { NEW_CHANNEL } from './channel.js';
import { channelKey } from './channel-key.js';
import type { StoredChannel } from './channel-store.js';
import { ParkedPolls, type ParkedPoll, type PollEnd } from './parked-polls.js';
import { poll } from './poll.js';

const T = 1_700_000_000_000;
const MINUTE = 60_000;
const POLLS = 200;

/** Many polls at one replica, and a store that takes some milliseconds for each read. */
class Scene {
  reads: string[] = [];
  atOnce = 0;
  mostAtOnce = 0;
  fails = false;
  readonly stored = new Map<string, StoredChannel>();
  readonly ended = new Map<string, PollEnd>();
  readonly parked = new ParkedPolls({
    now: () => Date.now(),
    logger: quietLogger(),
    onDue: () => undefined,
    read: ({ applicationId }) => this.read(applicationId),
  });

  constructor() {
    for (let n = 0; n < POLLS; n++) this.park(String(n));
  }

  /** The store has an event for this poll, but the poll was not notified. */
  loseWakeTo(token: string): void {
    const event = {
      sender: { rel: 'me', href: '/me' },
      type: 'completed',
      link: { rel: 'message', href: '/m' },
    } as const;
    const { channel, revision } = this.stored.get(token) ?? { channel: NEW_CHANNEL, revision: 0 };
    this.stored.set(token, { channel: append(channel, [event], Date.now()), revision: revision + 1 });
  }

  /** A poll of this channel that does not wait yet. */
  add(channel: string, token: string): void {
    const parked: ParkedPoll = {
      token,
      key: channelKey(channel, null),
      tokenHash: 'hash',
      expiresAt: Number.MAX_SAFE_INTEGER,
      end: (end) => this.ended.set(token, end),
    };
    this.parked.add(parked);
  }

  private park(token: string): void {
    const { channel, result } = poll(NEW_CHANNEL, { ack: 1, settings: { timeout: 1_800 }, token }, T);
    this.stored.set(token, { channel, revision: 1 });
    this.add(token, token);
    if (result.kind === 'wait') this.parked.wait(token, result);
    this.parked.notify(token, { channel, revision: 1 });
  }

  private async read(token: string): Promise<StoredChannel> {
    this.reads.push(token);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
    await new Promise((resolve) => setTimeout(resolve, 10));
    this.atOnce--;
    if (this.fails) throw new Error('the bus does not answer');
    return this.stored.get(token) ?? { channel: NEW_CHANNEL, revision: 0 };
  }
}

describe('polls that wait', () => {
  let scene: Scene;

  beforeEach(() => {
    jest.useFakeTimers({ now: T });
    scene = new Scene();
  });

  afterEach(async () => {
    scene.parked.timeOutAll();
    const closing = scene.parked.close();
    await jest.runOnlyPendingTimersAsync();
    await closing;
    jest.useRealTimers();
  });

  it('are not checked for a minute, then once each, one after another', async () => {
    await jest.advanceTimersByTimeAsync(MINUTE - 100);
    expect(scene.reads).toEqual([]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(scene.reads.toSorted()).toEqual(Array.from({ length: POLLS }, (_, n) => String(n)).toSorted());
    expect(scene.mostAtOnce).toBe(1);
    expect(scene.parked.size).toBe(POLLS);
  });

  it('receive events that they were not notified of, and end when their channel is gone', async () => {
    scene.loseWakeTo('7');
    scene.stored.delete('8');
    await jest.advanceTimersByTimeAsync(MINUTE + 10_000);
    expect(scene.ended.get('7')).toMatchObject({ kind: 'package', number: 1 });
    expect(scene.ended.get('8')).toEqual({ kind: 'closed' });
    expect(scene.parked.size).toBe(POLLS - 2);
  });

  it('are checked again after a time in which the store could not be read', async () => {
    scene.loseWakeTo('7');
    scene.fails = true;
    await jest.advanceTimersByTimeAsync(MINUTE + 10_000);
    expect(scene.parked.size).toBe(POLLS);
    scene.fails = false;
    await jest.advanceTimersByTimeAsync(MINUTE + 10_000);
    expect(scene.ended.get('7')).toMatchObject({ kind: 'package', number: 1 });
  });

  it('are not taken for replaced while they are still written into their channels', async () => {
    const { channel } = scene.stored.get('7') ?? { channel: NEW_CHANNEL };
    scene.add('7', 'another token');
    const checking = scene.parked.checkAll();
    await jest.advanceTimersByTimeAsync(5_000);
    await checking;
    expect(scene.ended.has('another token')).toBe(false);
    const { result, channel: after } = poll(channel, { ack: 1, settings: {}, token: 'another token' }, Date.now());
    if (result.kind === 'wait') scene.parked.wait('another token', result);
    scene.parked.notify('another token', { channel: after, revision: 2 });
    expect(scene.parked.has('another token')).toBe(true);
  });

  it('are all checked immediately when the bus is back', async () => {
    scene.loseWakeTo('199');
    const looked = scene.parked.checkAll();
    await jest.advanceTimersByTimeAsync(5_000);
    await looked;
    expect(scene.ended.get('199')).toMatchObject({ kind: 'package', number: 1 });
    expect(scene.reads).toHaveLength(POLLS);
    expect(scene.mostAtOnce).toBe(1);
  });
});
