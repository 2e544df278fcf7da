import type { OwnApplication } from './application.js';
import { Refusal } from './errors.js';
import type { SessionEvent } from './events.js';
import { PresenceWatch } from './presence-watch.js';
import { Reading } from './reading.js';

/** Subscriptions last half an hour, and their end is what this is about: no test waits so long for a real one. */
describe('watching presence', () => {
  let asked: [string, object][];
  let failures: Error[];
  let now: number;
  let made: number;
  let watch: PresenceWatch;

  beforeEach(() => {
    [asked, failures, now, made] = [[], [], 0, 0];
    const tell = async (href: string, { body = {} }): Promise<void> => {
      asked.push([href, body]);
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    };
    const post = async (href: string, sending: { body?: object }): Promise<Reading> => {
      await tell(href, sending);
      const self = `/subscriptions/${++made}`;
      return new Reading(
        { _links: { self: { href: self }, addToPresenceSubscription: { href: `${self}/add` } } },
        self,
      );
    };
    const requests = { tell, post };
    const application = { resource: { people: { subscriptions: '/subscriptions' } }, requests };
    watch = new PresenceWatch({ application: application as unknown as OwnApplication, now: () => now });
  });

  function event(type: SessionEvent['type'], href: string): SessionEvent {
    return { type, sender: { rel: 'people', href: '/people' }, link: { rel: 'presenceSubscription', href } };
  }
  const gone = new Refusal(404, { code: 'NotFound' }, 'It has ended.');

  it('subscribes once, and adds who comes later', async () => {
    await Promise.all([watch.watch(['sip:a@x']), watch.watch(['sip:a@x', 'sip:b@x']), watch.watch(['sip:b@x'])]);
    expect(asked).toEqual([
      ['/subscriptions', { duration: 30, uris: ['sip:a@x'] }],
      ['/subscriptions/1/add', { contactUris: ['sip:b@x'] }],
    ]);
  });

  it('prolongs when the end is near, and not because it was prolonged', async () => {
    await watch.watch(['sip:a@x']);
    await watch.hear(event('updated', '/subscriptions/1'));
    now = 29 * 60 * 1000;
    await watch.hear(event('updated', '/subscriptions/other'));
    await watch.hear(event('updated', '/subscriptions/1'));
    await watch.hear(event('updated', '/subscriptions/1'));
    expect(asked.slice(1)).toEqual([['/subscriptions/1', { duration: 30 }]]);
  });

  it('subscribes anew when it has ended', async () => {
    await watch.watch(['sip:a@x']);
    await watch.hear(event('deleted', '/subscriptions/1'));
    now = 29 * 60 * 1000;
    failures = [gone];
    await watch.hear(event('updated', '/subscriptions/2'));
    failures = [gone];
    await watch.watch(['sip:b@x']);
    await watch.renew();
    expect(asked.filter(([href]) => href === '/subscriptions').map(([, body]) => body)).toEqual([
      { duration: 30, uris: ['sip:a@x'] },
      { duration: 30, uris: ['sip:a@x'] },
      { duration: 30, uris: ['sip:a@x'] },
      { duration: 30, uris: ['sip:a@x', 'sip:b@x'] },
      { duration: 30, uris: ['sip:a@x', 'sip:b@x'] },
    ]);
  });

  it('tries again with whom it could not watch', async () => {
    failures = [new Error('down')];
    await expect(watch.watch(['sip:a@x'])).rejects.toThrow('down');
    await watch.watch(['sip:a@x']);
    expect(asked).toHaveLength(2);
  });
});
