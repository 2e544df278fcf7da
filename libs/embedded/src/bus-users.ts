/**
 * Who may do what on the bus: one NATS user for each service, with the subjects, streams and buckets that it needs. The
 * configuration of the embedded server is made of it, and `deploy/bus/users.conf` (`npm run bus:users`).
 */
export interface BusUser {
  readonly publish?: readonly string[];
  /** Subjects that it reads; a request that comes over one of them may be answered. */
  readonly subscribe?: readonly string[];
  readonly streams?: Readonly<Record<string, StreamRight>>;
  readonly buckets?: Readonly<Record<string, BucketRight>>;
}

/**
 * `make`: create it where it is missing, and see that it is there. `read`: its messages as well. `own`: change and empty
 * it as well. Only a stream's owner may change it: a change can let the server copy other streams into it.
 */
export type StreamRight = 'make' | 'read' | 'own';
/** `entry`: write what stands under its own name. `shared`: read and write all, but change nothing of the bucket itself. */
export type BucketRight = 'entry' | 'shared' | 'own';

const TOKENS_INTROSPECT = 'ringdown.tokens.introspect';
const TOKENS_REVOKED = 'ringdown.tokens.revoked';

export const busUsers = {
  collector: {
    publish: ['ringdown.records.*', 'ringdown.rejected'],
    subscribe: ['ringdown.collectors.answers.*'],
    streams: { RECORDS: 'make', REJECTED: 'make' },
    buckets: { FRONT_ENDS: 'shared', SERVICES: 'entry' },
  },
  aggregator: {
    // Records too: dead letters are put into the feed again with its key.
    publish: [
      'ringdown.records.*',
      'ringdown.rejected',
      'ringdown.dead-letters.*',
      'ringdown.calls.changed',
      'ringdown.collectors.answers.*',
      TOKENS_INTROSPECT,
    ],
    subscribe: ['ringdown.calls.in-progress', TOKENS_REVOKED],
    streams: { RECORDS: 'own', REJECTED: 'own', DEAD_LETTERS: 'own', CALL_CHANGES: 'own' },
    // Of FRONT_ENDS its limits: collectors, which face anonymous input, may change none.
    buckets: { AGGREGATORS: 'own', PARTITION_OWNERS: 'own', SERVICES: 'own', FRONT_ENDS: 'own' },
  },
  'discovery-auth': {
    publish: [TOKENS_INTROSPECT, TOKENS_REVOKED],
    subscribe: [TOKENS_INTROSPECT, TOKENS_REVOKED],
    buckets: { TOKENS: 'own', SIGN_INS: 'own', SIGN_IN_FAILURES: 'own', MEETINGS: 'own', SERVICES: 'entry' },
  },
  'application-people': {
    publish: ['ringdown.calls.in-progress', 'ringdown.channels.*.*', 'ringdown.polls.>', TOKENS_INTROSPECT],
    subscribe: ['ringdown.calls.changed', 'ringdown.polls.>', TOKENS_REVOKED],
    streams: { CHANNELS: 'own' },
    buckets: {
      APPLICATIONS: 'own',
      CONTACT_LISTS: 'own',
      CONVERSATIONS: 'own',
      MEETINGS: 'own',
      MESSAGES: 'own',
      OWN_CONVERSATIONS: 'own',
      PRESENCE: 'own',
      SERVICES: 'entry',
    },
  },
  subscribers: {
    publish: ['ringdown.subscribers.>', 'ringdown.dead-letters.*'],
    streams: { RECORDS: 'read', CALL_CHANGES: 'read', REJECTED: 'make', DEAD_LETTERS: 'make' },
    buckets: { SERVICES: 'entry' },
  },
} as const satisfies Record<string, BusUser>;

export type BusUserName = keyof typeof busUsers;

export const BUS_USER_NAMES = Object.keys(busUsers).filter((name): name is BusUserName => name in busUsers);

export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The subjects of NATS that stand behind the rights of a user. */
export function permissionsOf(name: string, user: BusUser): Permissions {
  const { publish = [], subscribe = [], streams = {}, buckets = {} } = user;
  const all = [
    '$JS.API.INFO',
    ...publish,
    ...Object.entries(streams).flatMap(([stream, right]) => streamSubjects(stream, right)),
    ...Object.entries(buckets).flatMap(([bucket, right]) => bucketSubjects(bucket, right, name)),
  ];
  // Answers to one service reach no other.
  return { publish: all, subscribe: [`_INBOX.${name}.>`, ...subscribe] };
}

function streamSubjects(stream: string, right: StreamRight): string[] {
  const api = (command: string): string => `$JS.API.${command}.${stream}`;
  const make = [api('STREAM.CREATE'), api('STREAM.INFO')];
  if (right === 'make') return make;
  const read = [
    ...['STREAM.MSG.GET', 'DIRECT.GET', 'CONSUMER.CREATE'].map(api),
    ...['DIRECT.GET', 'CONSUMER.CREATE', 'CONSUMER.DURABLE.CREATE', 'CONSUMER.INFO'].map((name) => `${api(name)}.>`),
    ...['CONSUMER.MSG.NEXT', 'CONSUMER.DELETE'].map((name) => `${api(name)}.>`),
    `$JS.ACK.${stream}.>`,
    `$JS.FC.${stream}.>`,
  ];
  if (right === 'read') return [...make, ...read];
  return [...make, ...read, ...['STREAM.UPDATE', 'STREAM.PURGE', 'STREAM.MSG.DELETE'].map(api)];
}

const STREAM_OF = { entry: 'make', shared: 'read', own: 'own' } as const satisfies Record<BucketRight, StreamRight>;

function bucketSubjects(bucket: string, right: BucketRight, user: string): string[] {
  const keys = right === 'entry' ? `${user}.>` : '>';
  return [...streamSubjects(`KV_${bucket}`, STREAM_OF[right]), `$KV.${bucket}.${keys}`];
}
