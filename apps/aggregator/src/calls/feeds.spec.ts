import { anna, ben, example, stream, type ExampleOptions } from '../../test/call-examples.js';
import type { FeedRecord } from './feed-record.js';
import { fold } from './fold.js';

const [ONE, OTHER] = ['192.0.2.1', '192.0.2.2'];

/** A record of A, which names neither a front end nor a pool. */
function unnamed(kind: 'start' | 'bye', remoteAddress: string, options: ExampleOptions): FeedRecord {
  const events = kind === 'bye' ? [{ kind }] : [stream('audio', anna, ben, { kind })];
  const connection = { frontEnds: [], ...options.connection };
  return example(events, { ...options, connection, sentBy: { remoteAddress }, version: 'A' });
}

describe('the feeds of a call', () => {
  it('are the addresses of senders that do not name themselves', () => {
    const { call } = fold([unnamed('start', ONE, { at: '00:01' }), unnamed('start', OTHER, { at: '00:02' })], []);
    expect(call).toMatchObject({ feeds: [ONE, OTHER], frontEnds: [] });
    expect(call.clocks.map(({ name }) => name)).toEqual([ONE, OTHER]);
  });

  it('are not the lists of front ends and pools in D, which are beside them', () => {
    const connection = { frontEnds: ['fe1', 'fe2'], pools: ['pool1'] };
    const sentBy = { remoteAddress: ONE, certificateSubject: 'CN=fe1.example.test' };
    const { call } = fold([example([], { connection, sentBy, version: 'D' })], []);
    expect(call).toMatchObject({ feeds: ['CN=fe1.example.test'], frontEnds: ['fe1', 'fe2'], pools: ['pool1'] });
  });

  it('have a clock each: a duration never has two', () => {
    const start = unnamed('start', ONE, { at: '00:01' });
    const end = unnamed('bye', OTHER, { at: '00:09' });
    expect(fold([start, end], []).call.duration).toBeNull();
    const own = unnamed('bye', ONE, { at: '00:07' });
    expect(fold([start, end, own], []).call.duration).toEqual({ seconds: 6, clock: 'frontEnd' });
  });

  it('have one clock while their manager learns of a second front end, and others of another manager', () => {
    const [fe1, fe2] = ['fe1.example.test', 'fe2.example.test'];
    const sent = (
      events: FeedRecord['record']['events'],
      at: string,
      frontEnds: readonly string[],
      by: string,
    ): FeedRecord => example(events, { at, version: 'D', connection: { frontEnds }, sentBy: { remoteAddress: by } });
    const invited = sent([{ kind: 'invite', caller: anna, callee: ben }], '00:01', [fe1], ONE);
    const started = sent([stream('audio', anna, ben, { kind: 'start' })], '00:03', [fe1], ONE);
    const ended = (by: string): FeedRecord => sent([{ kind: 'bye' }], '00:09', [fe1, fe2], by);
    expect(fold([invited, started, ended(ONE)], []).call).toMatchObject({
      feeds: [fe1, ONE],
      setupSeconds: 2,
      duration: { seconds: 6, clock: 'frontEnd' },
    });
    expect(fold([invited, started, ended(OTHER)], []).call).toMatchObject({ setupSeconds: 2, duration: null });
    const startedLater = sent([stream('audio', anna, ben, { kind: 'start' })], '00:03', [fe1, fe2], ONE);
    expect(fold([ended(ONE), startedLater], [invited]).call).toMatchObject({
      setupSeconds: 2,
      duration: { seconds: 6 },
    });
  });

  it('are those of the copy that was received first, in whatever order copies arrive', () => {
    const copy = unnamed('start', ONE, { at: '00:01' });
    const later = { ...copy, id: 'a copy', feed: OTHER, receivedAt: copy.receivedAt + 1 };
    expect(fold([copy], [later]).call.feeds).toEqual([ONE]);
    expect(fold([later], [copy]).call.feeds).toEqual([ONE]);
  });
});
