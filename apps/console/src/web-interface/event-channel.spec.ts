import { RequestRefused, TokenRefused, Unreachable } from './errors.js';
import { EventChannel, type ChannelSource, type ChannelState, type Reopening } from './event-channel.js';
import { JsonReader } from './json-reader.js';

type Step = JsonReader | Error | 'silence';

function packaged(number: number, ...hrefs: readonly string[]): JsonReader {
  const events = hrefs.map((href) => ({ type: 'updated', link: { rel: 'contactPresence', href } }));
  const sender = events.length === 0 ? [] : [{ rel: 'people', href: '/people', events }];
  return new JsonReader({ _links: { next: { href: `/events?ack=${number + 1}` } }, sender }, 'events');
}

/** A session with scripted failures and without real waits, which are recorded. */
class ScriptedSource implements ChannelSource {
  readonly requested: string[] = [];
  readonly waits: number[] = [];
  readonly dispatched: string[] = [];
  readonly states: ChannelState[] = [];
  readonly reopened: Reopening[] = [];
  readonly channel: EventChannel;
  checks: Error[] = [];
  reopenings: (string | Error)[] = [];
  hurried = 0;

  constructor(private readonly steps: Step[]) {
    this.channel = new EventChannel({
      source: this,
      listener: {
        events: (events) => this.dispatched.push(...events.map(({ link }) => link.href)),
        startOver: () => void this.dispatched.push('start over'),
        state: (state) => void this.states.push(state),
      },
      wait: async (ms, signal) => {
        this.waits.push(ms);
        signal.addEventListener('abort', () => this.hurried++);
      },
      random: () => 1,
    });
  }

  async poll(href: string, signal: AbortSignal): Promise<JsonReader> {
    this.requested.push(href);
    const step = this.steps.shift();
    if (step instanceof JsonReader) return step;
    if (step instanceof Error) throw step;
    // The script is finished: as if the user signed out.
    if (step === undefined) this.channel.stop();
    else setTimeout(() => this.channel.stop());
    signal.throwIfAborted();
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  }

  async check(): Promise<void> {
    const error = this.checks.shift();
    if (error !== undefined) throw error;
  }

  async reopen(why: Reopening): Promise<string> {
    this.reopened.push(why);
    const outcome = this.reopenings.shift() ?? '/events?ack=1';
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  async run(): Promise<this> {
    await this.channel.run('/events?ack=1');
    return this;
  }

  get kinds(): readonly string[] {
    return this.states.map(({ kind }) => kind);
  }
}

const down = new Unreachable('The server cannot be reached.');

function refused(status: number, subcode: string): RequestRefused {
  return new RequestRefused(status, { code: 'Gone', subcode }, subcode);
}

describe('EventChannel', () => {
  it('requests one package after the other, and dispatches each', async () => {
    const world = await new ScriptedSource([packaged(1, '/a', '/b'), packaged(2), packaged(3, '/c')]).run();
    expect(world.requested).toEqual([1, 2, 3, 4].map((ack) => `/events?ack=${ack}`));
    expect(world.dispatched).toEqual(['/a', '/b', '/c']);
    expect(world.kinds).toEqual(['connected']);
  });

  it('requests the same package again when an answer was lost, so that each event is dispatched once', async () => {
    const world = await new ScriptedSource([packaged(1, '/a'), down, packaged(2, '/b'), packaged(3, '/c')]).run();
    expect(world.requested).toEqual([1, 2, 2, 3, 4].map((ack) => `/events?ack=${ack}`));
    expect(world.dispatched).toEqual(['/a', '/b', '/c']);
    expect(world.kinds).toEqual(['connected', 'reconnecting', 'connected']);
  });

  it('waits longer after each failure, and starts again after a success', async () => {
    const world = new ScriptedSource([down, packaged(1), down, down]);
    world.checks = Array.from({ length: 8 }, () => down);
    await world.run();
    expect(world.waits.slice(0, 9)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000, 20_000]);
    expect(world.waits.slice(9)).toEqual([500, 500]);
  });

  it('does not retry before the time that the server requires', async () => {
    const world = await new ScriptedSource([new Unreachable('busy', 7000)]).run();
    expect(world.waits).toEqual([7000]);
  });

  it('stops waiting with tryNow', async () => {
    const world = new ScriptedSource([down]);
    const running = world.run();
    await new Promise((resolve) => setImmediate(resolve));
    world.channel.tryNow();
    await running;
    expect(world.hurried).toBe(1);
  });

  it('continues after an invalid answer', async () => {
    const world = await new ScriptedSource([new JsonReader({ html: true }, 'events'), packaged(1, '/a')]).run();
    expect([world.dispatched, world.kinds]).toEqual([['/a'], ['connected', 'reconnecting', 'connected']]);
  });

  it.each([
    [404, 'ApplicationNotFound', 'gone'],
    [410, 'InactiveApplicationExpired', 'gone'],
    [409, 'PGetReplaced', 'replaced'],
  ])('reopens the session after %d %s, and starts over', async (status, subcode, why) => {
    const world = new ScriptedSource([refused(status, subcode), packaged(7, '/a')]);
    world.reopenings = ['/other/events?ack=7'];
    await world.run();
    expect([world.reopened, world.requested[1], world.dispatched]).toEqual([
      [why],
      '/other/events?ack=7',
      ['start over', '/a'],
    ]);
    expect(world.kinds).toEqual(['connected', 'connected']);
  });

  it('waits when the session cannot be reopened yet', async () => {
    const world = new ScriptedSource([refused(404, 'ApplicationNotFound'), refused(404, 'ApplicationNotFound')]);
    world.reopenings = [down, '/other/events?ack=1'];
    await world.run();
    expect([world.reopened, world.waits]).toEqual([['gone', 'gone'], [500]]);
  });

  it('starts over when the server requires it', async () => {
    const resync = new JsonReader({ _links: { resync: { href: '/events?ack=4' } }, sender: [] }, 'events');
    const world = await new ScriptedSource([resync, packaged(4, '/a')]).run();
    expect([world.requested[1], world.dispatched]).toEqual(['/events?ack=4', ['start over', '/a']]);
  });

  it('ends when the token is not valid any more', async () => {
    const world = await new ScriptedSource([new TokenRefused()]).run();
    expect(world.kinds).toEqual(['connected', 'signedOut']);
  });

  it('ends with the reason when the server has ended the session', async () => {
    const world = await new ScriptedSource([refused(410, 'TooManyApplications')]).run();
    expect(world.states.at(-1)).toEqual({ kind: 'ended', message: 'TooManyApplications' });
    expect(world.reopened).toEqual([]);
  });

  it('dispatches nothing after it was stopped', async () => {
    const world = await new ScriptedSource(['silence']).run();
    expect(world.kinds).toEqual(['connected']);
  });
});
