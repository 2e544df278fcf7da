import { setting } from '@ringdown/settings';

const MEBIBYTE = 1_048_576;

const DEFAULT_STATE_BYTES = 512 * MEBIBYTE;

export const stateSettings = {
  stateMaxBytes: setting.integer('STATE_MAX_BYTES', {
    task: 'bus',
    default: DEFAULT_STATE_BYTES,
    min: 16 * MEBIBYTE,
    max: Number.MAX_SAFE_INTEGER,
    about:
      'Maximum size on the bus of tokens, sessions, events, contacts, presence, meetings and messages together, bytes; a full bucket rejects new entries (docs/guides/operating.md)',
  }),
};

/** The share of STATE_MAX_BYTES for each bucket, in 32nds. */
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

/**
 * Buckets that are bounded by the number of replicas, partitions and front ends, of which one entry needs less than 1.5 KB,
 * by the number of captures that are remembered, of which one needs less than 160 KB, and by the number of people, of which
 * one needs about 600 bytes; only administrators add people.
 */
const FIXED_BYTES = {
  AGGREGATORS: MEBIBYTE,
  PARTITION_OWNERS: MEBIBYTE,
  SERVICES: 4 * MEBIBYTE,
  FRONT_ENDS: 16 * MEBIBYTE,
  CAPTURES: 16 * MEBIBYTE,
  PEOPLE: 128 * MEBIBYTE,
} as const;

export type BucketName = keyof typeof STATE_SHARES | keyof typeof FIXED_BYTES;

export const FIXED_BUCKETS_BYTES = Object.values(FIXED_BYTES).reduce((sum, bytes) => sum + bytes, 0);

/**
 * The maximum size of each bucket, and of the stream of event channels; to be passed to `Bus.connect` of
 * @ringdown/nats.
 */
export interface BucketLimits {
  /** Throws for a name that is not in the table. */
  maxBytesOf(name: string): number;
  /** The setting that raises the limits. */
  readonly setting: string;
}

export function bucketLimits(stateMaxBytes = DEFAULT_STATE_BYTES): BucketLimits {
  return { maxBytesOf: (name) => maxBytesOf(name, stateMaxBytes), setting: 'STATE_MAX_BYTES' };
}

function maxBytesOf(name: string, stateMaxBytes: number): number {
  if (isKey(FIXED_BYTES, name)) return FIXED_BYTES[name];
  if (isKey(STATE_SHARES, name)) return Math.floor((stateMaxBytes * STATE_SHARES[name]) / 32);
  throw new Error(`no size limit is defined for the bucket ${name}`);
}

function isKey<T extends object>(table: T, name: string): name is keyof T & string {
  return Object.hasOwn(table, name);
}
