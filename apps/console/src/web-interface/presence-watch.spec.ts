import type { OwnApplication } from './application.js';
import { RequestRefused } from './errors.js';
import type { SessionEvent } from './events.js';
import { PresenceWatch } from './presence-watch.js';
import { JsonReader } from './json-reader.js';

/** Subscriptions last half an hour, too long for a test with a real server. */
describe('PresenceWatch', () => {
  let posted: [string, object][];
  let failures: Error[];
  let now: number;
  let made: number;
  let watch: PresenceWatch;

  beforeEach(() => {
    [posted, failures, now, made] = [[], [], 0, 0];
    const notify = async (href: string, { body = {} }): Promise<void> => {
      posted.push([href, body]);
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    };
    const post = async (href: string, sending: { body?: object }): Promise<JsonReader> => {
      await notify(href, sending);
      const self = `/subscriptions/${++made}`;
      return new JsonReader(
        { _links: { self: { href: self }, addToPresenceSubscription: { href: `${self}/add` } } },
        self,
      );
    };
    const requests = { notify, post };
    const application = { resource: { people: { subscriptions: '/subscriptions' } }, requests };
    watch = new PresenceWatch({ application: application as unknown as OwnApplication, now: () => now });
  });

  function event(type: SessionEvent['type'], href: string): SessionEvent {
    return { type, sender: { rel: 'people', href: '/people' }, link: { rel: 'presenceSubscription', href } };
  }
  const gone = new RequestRefused(404, { code: 'NotFound' }, 'It has ended.');

  it('subscribes once, and adds later people', async () => {
    await Promise.all([watch.watch(['sip:a@x']), watch.watch(['sip:a@x', 'sip:b@x']), watch.watch(['sip:b@x'])]);
    expect(posted).toEqual([
      ['/subscriptions', { duration: 30, uris: ['sip:a@x'] }],
      ['/subscriptions/1/add', { contactUris: ['sip:b@x'] }],
    ]);
  });

  it('extends a subscription before its end, and not because of its own extension', async () => {
    await watch.watch(['sip:a@x']);
    await watch.onEvent(event('updated', '/subscriptions/1'));
    now = 29 * 60 * 1000;
    await watch.onEvent(event('updated', '/subscriptions/other'));
    await watch.onEvent(event('updated', '/subscriptions/1'));
    await watch.onEvent(event('updated', '/subscriptions/1'));
    expect(posted.slice(1)).toEqual([['/subscriptions/1', { duration: 30 }]]);
  });

  it('subscribes again when the subscription has ended', async () => {
    await watch.watch(['sip:a@x']);
    await watch.onEvent(event('deleted', '/subscriptions/1'));
    now = 29 * 60 * 1000;
    failures = [gone];
    await watch.onEvent(event('updated', '/subscriptions/2'));
    failures = [gone];
    await watch.watch(['sip:b@x']);
    await watch.renew();
    expect(posted.filter(([href]) => href === '/subscriptions').map(([, body]) => body)).toEqual([
      { duration: 30, uris: ['sip:a@x'] },
      { duration: 30, uris: ['sip:a@x'] },
      { duration: 30, uris: ['sip:a@x'] },
      { duration: 30, uris: ['sip:a@x', 'sip:b@x'] },
      { duration: 30, uris: ['sip:a@x', 'sip:b@x'] },
    ]);
  });

  it('retries people whom it could not watch', async () => {
    failures = [new Error('down')];
    await expect(watch.watch(['sip:a@x'])).rejects.toThrow('down');
    await watch.watch(['sip:a@x']);
    expect(posted).toHaveLength(2);
  });
});
