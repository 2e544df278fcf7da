import { UnexpectedAnswer } from './errors.js';
import { readPackage } from './events.js';
import { JsonReader } from './json-reader.js';

function read(value: object): ReturnType<typeof readPackage> {
  return readPackage(new JsonReader(value, 'events'));
}

const next = { next: { href: '/events?ack=2' } };
const typing = {
  type: 'added',
  link: { rel: 'participant', href: '/p', title: 'Bob' },
  in: { rel: 'typingParticipants', href: '/t' },
};
const conversation = { rel: 'conversation', href: '/c' };

describe('readPackage', () => {
  it('returns the events in order, each with its sender', () => {
    const failed = {
      type: 'completed',
      link: { rel: 'message', href: '/m/1' },
      status: 'Failure',
      reason: { code: 'RemoteFailure', subcode: 'Timeout' },
      _embedded: {
        message: {
          direction: 'Outgoing',
          timeStamp: '/Date(1)/',
          _links: { self: { href: '/m/1' }, messaging: { href: '/m' } },
        },
      },
    };
    const me = { type: 'updated', link: { rel: 'presence', href: '/me/presence' } };
    const sender = [
      { ...conversation, events: [typing, failed] },
      { rel: 'me', href: '/me', events: [me] },
    ];
    expect(read({ _links: next, sender })).toEqual({
      next: '/events?ack=2',
      events: [
        { ...typing, sender: conversation },
        {
          type: 'completed',
          sender: conversation,
          link: { rel: 'message', href: '/m/1' },
          outcome: 'Failure',
          reason: { code: 'RemoteFailure', subcode: 'Timeout' },
          resource: { rel: 'message', href: '/m/1', messaging: '/m', direction: 'Outgoing', at: 1 },
        },
        { ...me, sender: { rel: 'me', href: '/me' } },
      ],
    });
  });

  it('reads a package without events', () => {
    expect(read({ _links: next, sender: [] })).toEqual({ next: '/events?ack=2', events: [] });
  });

  it('returns when to start over', () => {
    expect(read({ _links: { resync: { href: '/events?ack=5' } }, sender: [] })).toEqual({
      next: '/events?ack=5',
      events: [],
      startOver: 'resync',
    });
    const resume = { ...next, resume: { href: '/events?ack=9' } };
    expect(read({ _links: resume, sender: [] })).toMatchObject({ next: '/events?ack=9', startOver: 'resume' });
  });

  it('skips an invalid event of a package, and starts over', () => {
    const broken = { type: 'completed', link: { rel: 'message', href: '/m' }, _embedded: { message: {} } };
    const sender = [{ ...conversation, events: [broken, typing, { type: 'exploded', link: {} }] }];
    const { events, startOver } = read({ _links: next, sender });
    expect([events.map(({ link }) => link.href), startOver]).toEqual([['/p'], 'resync']);
  });

  it('rejects a package without a link to the next', () => {
    expect(() => read({ _links: {}, sender: [] })).toThrow(UnexpectedAnswer);
  });
});
