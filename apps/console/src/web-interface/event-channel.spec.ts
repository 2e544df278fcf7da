import { Refusal, TokenRefused, Unreachable } from './errors.js';
import { EventChannel, type ChannelSource, type ChannelState, type Reopening } from './event-channel.js';
import { Reading } from './reading.js';

type Step = Reading | Error | 'silence';

function packaged(number: number, ...hrefs: readonly string[]): Reading {
  const events = hrefs.map((href) => ({ type: 'updated', link: { rel: 'contactPresence', href } }));
  const sender = events.length === 0 ? [] : [{ rel: 'people', href: '/people', events }];
  return new Reading({ _links: { next: { href: `/events?ack=${number + 1}` } }, sender }, 'events');
}

/** A session whose failures are dictated, with a clock that does not run: the waits are what is looked at. */
class Dictated implements ChannelSource {
  readonly asked: string[] = [];
  readonly waits: number[] = [];
  readonly told: string[] = [];
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
        events: (events) => this.told.push(...events.map(({ link }) => link.href)),
        startOver: () => void this.told.push('start over'),
        state: (state) => void this.states.push(state),
      },
      wait: async (ms, signal) => {
        this.waits.push(ms);
        signal.addEventListener('abort', () => this.hurried++);
      },
      random: () => 1,
    });
  }

  async poll(href: string, signal: AbortSignal): Promise<Reading> {
    this.asked.push(href);
    const step = this.steps.shift();
    if (step instanceof Reading) return step;
    if (step instanceof Error) throw step;
    // Nothing is left to happen: as a user who goes.
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

function refused(status: number, subcode: string): Refusal {
  return new Refusal(status, { code: 'Gone', subcode }, subcode);
}

describe('the event channel', () => {
  it('asks for one package after the other, and tells each', async () => {
    const world = await new Dictated([packaged(1, '/a', '/b'), packaged(2), packaged(3, '/c')]).run();
    expect(world.asked).toEqual([1, 2, 3, 4].map((ack) => `/events?ack=${ack}`));
    expect(world.told).toEqual(['/a', '/b', '/c']);
    expect(world.kinds).toEqual(['connected']);
  });

  it('asks for the same package again when an answer was lost, so that nothing is told twice or not at all', async () => {
    const world = await new Dictated([packaged(1, '/a'), down, packaged(2, '/b'), packaged(3, '/c')]).run();
    expect(world.asked).toEqual([1, 2, 2, 3, 4].map((ack) => `/events?ack=${ack}`));
    expect(world.told).toEqual(['/a', '/b', '/c']);
    expect(world.kinds).toEqual(['connected', 'reconnecting', 'connected']);
  });

  it('waits longer each time, and after a success as short as at first', async () => {
    const world = new Dictated([down, packaged(1), down, down]);
    world.checks = Array.from({ length: 8 }, () => down);
    await world.run();
    expect(world.waits.slice(0, 9)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000, 20_000]);
    expect(world.waits.slice(9)).toEqual([500, 500]);
  });

  it('does not come back before the server wants to see it', async () => {
    const world = await new Dictated([new Unreachable('busy', 7000)]).run();
    expect(world.waits).toEqual([7000]);
  });

  it('can be told not to wait', async () => {
    const world = new Dictated([down]);
    const running = world.run();
    await new Promise((resolve) => setImmediate(resolve));
    world.channel.tryNow();
    await running;
    expect(world.hurried).toBe(1);
  });

  it('goes on after an answer that is none', async () => {
    const world = await new Dictated([new Reading({ html: true }, 'events'), packaged(1, '/a')]).run();
    expect([world.told, world.kinds]).toEqual([['/a'], ['connected', 'reconnecting', 'connected']]);
  });

  it.each([
    [404, 'ApplicationNotFound', 'gone'],
    [410, 'InactiveApplicationExpired', 'gone'],
    [409, 'PGetReplaced', 'replaced'],
  ])('opens the session again after %d %s, and starts over', async (status, subcode, why) => {
    const world = new Dictated([refused(status, subcode), packaged(7, '/a')]);
    world.reopenings = ['/other/events?ack=7'];
    await world.run();
    expect([world.reopened, world.asked[1], world.told]).toEqual([[why], '/other/events?ack=7', ['start over', '/a']]);
    expect(world.kinds).toEqual(['connected', 'connected']);
  });

  it('waits when the session cannot be opened again yet', async () => {
    const world = new Dictated([refused(404, 'ApplicationNotFound'), refused(404, 'ApplicationNotFound')]);
    world.reopenings = [down, '/other/events?ack=1'];
    await world.run();
    expect([world.reopened, world.waits]).toEqual([['gone', 'gone'], [500]]);
  });

  it('starts over when the server says so', async () => {
    const resync = new Reading({ _links: { resync: { href: '/events?ack=4' } }, sender: [] }, 'events');
    const world = await new Dictated([resync, packaged(4, '/a')]).run();
    expect([world.asked[1], world.told]).toEqual(['/events?ack=4', ['start over', '/a']]);
  });

  it('ends when the token is not good any more', async () => {
    const world = await new Dictated([new TokenRefused()]).run();
    expect(world.kinds).toEqual(['connected', 'signedOut']);
  });

  it('ends when the server has ended the session, and says why', async () => {
    const world = await new Dictated([refused(410, 'TooManyApplications')]).run();
    expect(world.states.at(-1)).toEqual({ kind: 'ended', message: 'TooManyApplications' });
    expect(world.reopened).toEqual([]);
  });

  it('says nothing any more once it was stopped', async () => {
    const world = await new Dictated(['silence']).run();
    expect(world.kinds).toEqual(['connected']);
  });
});
