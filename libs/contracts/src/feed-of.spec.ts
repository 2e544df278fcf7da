import { recordFeed } from './feed-of.js';

const SENDER = { certificateSubject: 'CN=fe1.example.test', remoteAddress: '192.0.2.40' };
const POOL = 'pool1.example.test';
const [FE1, FE2] = ['fe1.example.test', 'fe2.example.test'];

describe('the feed of a record', () => {
  it.each([
    ['1.0', { frontEnds: [FE1] }, FE1],
    ['1.0', { frontEnds: [] }, 'CN=fe1.example.test'],
    ['A', { frontEnds: [] }, 'CN=fe1.example.test'],
    ['C', { frontEnds: [], sourcePool: POOL }, POOL],
    ['C', { frontEnds: [] }, 'CN=fe1.example.test'],
    ['D', { frontEnds: [FE1] }, FE1],
    ['D', { frontEnds: [FE1, FE2], pools: [POOL] }, 'CN=fe1.example.test'],
    ['D', { frontEnds: [], sourcePool: POOL }, 'CN=fe1.example.test'],
    [undefined, { frontEnds: [FE1] }, FE1],
  ])('of version %s with %j is %s', (version, connection, feed) => {
    const record = { ...(version === undefined ? {} : { version }), connection: { callId: 'c', ...connection } };
    expect(recordFeed(record, SENDER)).toBe(feed);
  });

  it('is the address of a sender without a certificate, and empty when that is not known', () => {
    const record = { version: 'A', connection: { callId: 'c', frontEnds: [] } };
    expect(recordFeed(record, { remoteAddress: '192.0.2.40' })).toBe('192.0.2.40');
    expect(recordFeed(record, {})).toBe('');
  });

  it('is bounded', () => {
    const record = { version: 'A', connection: { callId: 'c', frontEnds: [] } };
    expect(recordFeed(record, { certificateSubject: `CN=${'x'.repeat(5_000)}` })).toHaveLength(255);
  });
});
