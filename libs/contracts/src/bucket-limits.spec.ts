import { bucketLimits } from './bucket-limits.js';

const MEBIBYTE = 1_048_576;

describe('the limits of the buckets', () => {
  const shared = [
    'TOKENS',
    'SIGN_INS',
    'SIGN_IN_FAILURES',
    'MEETINGS',
    'APPLICATIONS',
    'CHANNELS',
    'CONTACT_LISTS',
    'CONVERSATIONS',
    'OWN_CONVERSATIONS',
    'MESSAGES',
    'PRESENCE',
  ];

  it('add up to STATE_MAX_BYTES, not more', () => {
    const limits = bucketLimits(32 * MEBIBYTE);
    expect(shared.reduce((sum, name) => sum + limits.maxBytesOf(name), 0)).toBe(32 * MEBIBYTE);
  });

  it('do not depend on STATE_MAX_BYTES for buckets that grow with replicas, partitions and front ends', () => {
    const sizes = [0, 32 * MEBIBYTE].map((bytes) => bucketLimits(bytes).maxBytesOf('FRONT_ENDS'));
    expect(sizes).toEqual([16 * MEBIBYTE, 16 * MEBIBYTE]);
  });

  it('reject a bucket that is not in the table', () => {
    for (const name of ['OTHER', 'toString']) {
      expect(() => bucketLimits(MEBIBYTE).maxBytesOf(name)).toThrow(`no size limit is defined for the bucket ${name}`);
    }
  });
});
