/**
 * The permissions on the bus: one NATS user for each service, with the subjects, streams and buckets that it needs. The
 * configuration of the embedded server and `deploy/bus/users.conf` (`npm run bus:users`) are generated from it.
 */
export interface BusUser {
  readonly publish?: readonly string[];
  /** Subjects that it subscribes to; it may reply to requests on them. */
  readonly subscribe?: readonly string[];
  readonly streams?: Readonly<Record<string, StreamRight>>;
  readonly buckets?: Readonly<Record<string, BucketRight>>;
}

/**
 * `make`: create it if it is missing, and see that it exists. `read`: also read its messages. `own`: also change and
 * empty it. Only the owner of a stream may change it, because a change can make the server copy other streams into it. `copy`:
 * copy it as a whole, delete it, and create it again from a copy.
 */
export type StreamRight = 'make' | 'read' | 'own' | 'copy';
/** `entry`: write the entry of its own name. `read`: only read. `shared`: read and write all entries, but not change the bucket. */
export type BucketRight = 'entry' | 'read' | 'shared' | 'own' | 'copy';

const TOKENS_INTROSPECT = 'ringdown.tokens.introspect';
const PEOPLE_AUDIT = 'ringdown.people.audit';
const PEOPLE_KNOWN = 'ringdown.people.known';
const TOKENS_REVOKED = 'ringdown.tokens.revoked';

export const busUsers = {
  collector: {
    publish: ['ringdown.records.*', 'ringdown.rejected', 'ringdown.traces', 'ringdown.sip-failures'],
    subscribe: ['ringdown.collectors.answers.*'],
    streams: { RECORDS: 'make', REJECTED: 'make', TRACES: 'make', SIP_FAILURES: 'make' },
    buckets: { FRONT_ENDS: 'shared', SERVICES: 'entry' },
  },
  aggregator: {
    // Records too: it replays dead letters with the collector's key.
    publish: [
      'ringdown.records.*',
      'ringdown.rejected',
      'ringdown.dead-letters.*',
      'ringdown.calls.changed',
      'ringdown.collectors.answers.*',
      'ringdown.traces.stored',
      TOKENS_INTROSPECT,
      PEOPLE_KNOWN,
    ],
    subscribe: ['ringdown.calls.in-progress', 'ringdown.traces.stored', TOKENS_REVOKED],
    streams: {
      RECORDS: 'own',
      REJECTED: 'own',
      DEAD_LETTERS: 'own',
      CALL_CHANGES: 'own',
      TRACES: 'own',
      SIP_FAILURES: 'own',
    },
    // Owns FRONT_ENDS to set its limits: collectors accept anonymous input and may change no bucket.
    buckets: { AGGREGATORS: 'own', PARTITION_OWNERS: 'own', SERVICES: 'own', FRONT_ENDS: 'own', CAPTURES: 'own' },
  },
  'discovery-auth': {
    // `npm run people` has its key.
    publish: [TOKENS_INTROSPECT, TOKENS_REVOKED, PEOPLE_AUDIT],
    subscribe: [TOKENS_INTROSPECT, TOKENS_REVOKED, PEOPLE_AUDIT, PEOPLE_KNOWN],
    buckets: {
      TOKENS: 'own',
      SIGN_INS: 'own',
      SIGN_IN_FAILURES: 'own',
      MEETINGS: 'own',
      PEOPLE: 'own',
      SERVICES: 'entry',
    },
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
      PEOPLE: 'read',
      PRESENCE: 'own',
      SERVICES: 'entry',
    },
  },
  subscribers: {
    publish: ['ringdown.subscribers.>', 'ringdown.dead-letters.*'],
    streams: { RECORDS: 'read', CALL_CHANGES: 'read', REJECTED: 'make', DEAD_LETTERS: 'make' },
    buckets: { SERVICES: 'entry' },
  },
  // `npm run backup` and `npm run restore`: no service runs with it.
  backup: {
    streams: {
      RECORDS: 'copy',
      REJECTED: 'copy',
      DEAD_LETTERS: 'copy',
      CALL_CHANGES: 'copy',
      TRACES: 'copy',
      SIP_FAILURES: 'copy',
      CHANNELS: 'copy',
    },
    buckets: {
      APPLICATIONS: 'copy',
      CAPTURES: 'copy',
      CONTACT_LISTS: 'copy',
      CONVERSATIONS: 'copy',
      FRONT_ENDS: 'copy',
      MEETINGS: 'copy',
      MESSAGES: 'copy',
      OWN_CONVERSATIONS: 'copy',
      PEOPLE: 'copy',
      PRESENCE: 'copy',
      SIGN_IN_FAILURES: 'copy',
      SIGN_INS: 'copy',
      TOKENS: 'copy',
      // To see whether services run.
      SERVICES: 'read',
    },
  },
} as const satisfies Record<string, BusUser>;

export type BusUserName = keyof typeof busUsers;

export const BUS_USER_NAMES = Object.keys(busUsers).filter((name): name is BusUserName => name in busUsers);

export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The NATS subjects for the rights of a user. */
export function permissionsOf(name: string, user: BusUser): Permissions {
  const { publish = [], subscribe = [], streams = {}, buckets = {} } = user;
  const all = [
    '$JS.API.INFO',
    ...publish,
    ...Object.entries(streams).flatMap(([stream, right]) => streamSubjects(stream, right)),
    ...Object.entries(buckets).flatMap(([bucket, right]) => bucketSubjects(bucket, right, name)),
  ];
  // Replies for one service are delivered to no other.
  return { publish: all, subscribe: [`_INBOX.${name}.>`, ...subscribe] };
}

function streamSubjects(stream: string, right: StreamRight): string[] {
  const api = (command: string): string => `$JS.API.${command}.${stream}`;
  if (right === 'copy') {
    const commands = ['STREAM.INFO', 'STREAM.SNAPSHOT', 'STREAM.RESTORE', 'STREAM.DELETE'].map(api);
    return [...commands, `$JS.SNAPSHOT.ACK.${stream}.>`, `$JS.SNAPSHOT.RESTORE.${stream}.>`];
  }
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

const STREAM_OF = { entry: 'make', read: 'read', shared: 'read', own: 'own', copy: 'copy' } as const satisfies Record<
  BucketRight,
  StreamRight
>;

function bucketSubjects(bucket: string, right: BucketRight, user: string): string[] {
  const all = streamSubjects(`KV_${bucket}`, STREAM_OF[right]);
  if (right === 'read' || right === 'copy') return all;
  return [...all, `$KV.${bucket}.${right === 'entry' ? `${user}.>` : '>'}`];
}
