import { deadLetterSubject, type DeadLetter } from '@ringdown/contracts/set-aside';
import { Bus } from '@ringdown/nats';
import { readSettings } from '@ringdown/settings';
import { startNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { createHash } from 'node:crypto';
import { DeadLetters } from '../src/index.js';
import { deadLetterSettings, ensureDeadLettersStream } from '../src/doors/streams.js';

const letter: DeadLetter = {
  v: 1,
  setAsideAt: 1,
  partition: 3,
  sequence: 7,
  code: 'unreadable-record',
  reason: 'no record',
  content: { xml: '<A/>', none: undefined },
};

describe('dead letters', () => {
  const started = new Started();
  let letters: DeadLetters;
  let subscribers: Bus;

  beforeAll(async () => {
    const nats = started.add(await startNats());
    const open = async (user: 'aggregator' | 'subscribers'): Promise<Bus> => {
      const bus = await Bus.connect({ url: nats.urlOf(user), name: 'test', logger: quietLogger() });
      started.add({ stop: () => bus.close() });
      return bus;
    };
    const bus = await open('aggregator');
    await ensureDeadLettersStream(bus, readSettings(deadLetterSettings, {}));
    letters = new DeadLetters(bus);
    subscribers = await open('subscribers');
  });
  afterAll(() => started.stopAll());

  async function reasons(): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const { letter: each } of letters.all()) found.unshift(each.reason);
    return found;
  }

  it('are stored once when they are put twice, and for each subscriber', async () => {
    for (let n = 0; n < 2; n++) {
      await letters.put(letter);
      await new DeadLetters(subscribers).put({ ...letter, reason: 'of nms' }, 'nms');
    }
    expect(await reasons()).toEqual(['no record', 'of nms']);
  });

  it.each([
    ['for another letter', 8, JSON.stringify({ ...letter, reason: 'forged' }), 'forged'],
    ['for what is no JSON', 9, '{', 'the letter itself is not one of this version'],
  ])('are stored although another account has used their id %s', async (_what, sequence, forged, shown) => {
    const { partition, code, content } = letter;
    const identity = JSON.stringify([partition, sequence, code, content, undefined]);
    const msgID = createHash('sha256').update(identity).digest('hex');
    await subscribers.js.publish(deadLetterSubject(partition), forged, { msgID });
    await letters.put({ ...letter, sequence, reason: `not lost ${sequence}` });
    expect(await reasons()).toEqual(expect.arrayContaining([shown, `not lost ${sequence}`]));
  });

  it('are all listed although others have a wildcard or no partition in their subject', async () => {
    for (const place of ['*', 'x', '-1']) subscribers.connection.publish(`ringdown.dead-letters.${place}`, '{');
    await subscribers.connection.flush();
    await letters.put({ ...letter, sequence: 10, reason: 'the last one' });
    const [, ...before] = (await reasons()).toReversed();
    expect(before.slice(0, 3)).toEqual(Array(3).fill('the letter itself is not one of this version'));
  });
});
