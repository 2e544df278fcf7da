import { setting } from '@ringdown/settings';

const MEBIBYTE = 1_048_576;

export const DEFAULT_STATE_BYTES = 512 * MEBIBYTE;

export const stateSettings = {
  stateMaxBytes: setting.integer('STATE_MAX_BYTES', {
    default: DEFAULT_STATE_BYTES,
    min: 16 * MEBIBYTE,
    max: Number.MAX_SAFE_INTEGER,
    about:
      'How many bytes the bus keeps of tokens, sessions, events, contacts, presence, meetings and messages, all together; a full part refuses more (docs/guides/operating.md)',
  }),
};

/** Which part of STATE_MAX_BYTES each may fill, in 32nds. */
const STATE_SHARES = {
  TOKENS: 4,
  SIGN_INS: 1,
  SIGN_IN_FAILURES: 1,
  MEETINGS: 2,
  APPLICATIONS: 4,
  CHANNELS: 4,
  CONTACT_LISTS: 4,
  CONVERSATIONS: 4,
  OWN_CONVERSATIONS: 2,
  MESSAGES: 4,
  PRESENCE: 2,
} as const;

/** Those that are bounded by the number of replicas, partitions and front ends; one entry takes less than 1.5 KB. */
const FIXED_BYTES = {
  AGGREGATORS: MEBIBYTE,
  PARTITION_OWNERS: MEBIBYTE,
  SERVICES: 4 * MEBIBYTE,
  FRONT_ENDS: 16 * MEBIBYTE,
} as const;

export type StateName = keyof typeof STATE_SHARES;
export type BucketName = StateName | keyof typeof FIXED_BYTES;

export const FIXED_BUCKETS_BYTES = Object.values(FIXED_BYTES).reduce((sum, bytes) => sum + bytes, 0);

/** What a bucket, or the stream of event channels, may grow to. */
export function maxBytesOf(name: BucketName, stateMaxBytes: number): number {
  return isFixed(name) ? FIXED_BYTES[name] : Math.floor((stateMaxBytes * STATE_SHARES[name]) / 32);
}

function isFixed(name: BucketName): name is keyof typeof FIXED_BYTES {
  return name in FIXED_BYTES;
}
