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

  it('are those of the copy that was received first, in whatever order copies arrive', () => {
    const copy = unnamed('start', ONE, { at: '00:01' });
    const later = { ...copy, id: 'a copy', feed: OTHER, receivedAt: copy.receivedAt + 1 };
    expect(fold([copy], [later]).call.feeds).toEqual([ONE]);
    expect(fold([later], [copy]).call.feeds).toEqual([ONE]);
  });
});
