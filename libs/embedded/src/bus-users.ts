import { importedAs, accountImports, type AccountName } from './bus-accounts.js';

/**
 * The permissions on the bus: one NATS user for each service, with the subjects, streams and buckets of its account that
 * it needs, and what it uses of other accounts (bus-accounts.ts). The configuration of the embedded server and
 * `deploy/bus/users.conf` (`npm run bus:users`) are generated from both.
 */
export interface BusUser {
  readonly account: AccountName;
  readonly publish?: readonly string[];
  /** Subjects that it subscribes to; it may reply to requests on them. */
  readonly subscribe?: readonly string[];
  readonly streams?: Readonly<Record<string, StreamRight>>;
  readonly buckets?: Readonly<Record<string, StreamRight>>;
}

/**
 * `read`: create it if it is missing, and read its messages. `own`: also write, change and empty it. `copy`: copy it as a
 * whole, delete it, and create it again from a copy.
 */
export type StreamRight = 'read' | 'own' | 'copy';

const TOKENS_INTROSPECT = 'ringdown.tokens.introspect';
const PEOPLE_AUDIT = 'ringdown.people.audit';
const PEOPLE_KNOWN = 'ringdown.people.known';
const TOKENS_REVOKED = 'ringdown.tokens.revoked';

export const busUsers = {
  collector: {
    account: 'COLLECTOR',
    publish: importedBy('COLLECTOR'),
    subscribe: ['ringdown.collectors.answers.*'],
  },
  aggregator: {
    account: 'FEED',
    // Records too: it replays dead letters.
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
    subscribe: [
      'ringdown.calls.in-progress',
      'ringdown.readers.ensure',
      'ringdown.uploads.check',
      'ringdown.traces.stored',
      TOKENS_REVOKED,
    ],
    streams: {
      RECORDS: 'own',
      REJECTED: 'own',
      DEAD_LETTERS: 'own',
      CALL_CHANGES: 'own',
      TRACES: 'own',
      SIP_FAILURES: 'own',
    },
    buckets: { AGGREGATORS: 'own', PARTITION_OWNERS: 'own', SERVICES: 'own', FRONT_ENDS: 'own', CAPTURES: 'own' },
  },
  'discovery-auth': {
    account: 'PEOPLE',
    // `npm run people` has its key.
    publish: [TOKENS_INTROSPECT, TOKENS_REVOKED, PEOPLE_AUDIT, '$KV.SERVICES.discovery-auth.>'],
    subscribe: [TOKENS_INTROSPECT, TOKENS_REVOKED, PEOPLE_AUDIT, PEOPLE_KNOWN],
    buckets: {
      TOKENS: 'own',
      SIGN_INS: 'own',
      SIGN_IN_FAILURES: 'own',
      MEETINGS: 'own',
      PEOPLE: 'own',
    },
  },
  'application-people': {
    account: 'PEOPLE',
    publish: [
      'ringdown.calls.in-progress',
      'ringdown.channels.*.*',
      'ringdown.polls.>',
      TOKENS_INTROSPECT,
      '$KV.SERVICES.application-people.>',
    ],
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
    },
  },
  subscribers: {
    account: 'SUBSCRIBERS',
    publish: ['ringdown.subscribers.>', ...importedBy('SUBSCRIBERS')],
  },
  // `npm run backup` and `npm run restore`, with one key for each account that has streams: no service runs with them.
  backup: {
    account: 'FEED',
    streams: {
      RECORDS: 'copy',
      REJECTED: 'copy',
      DEAD_LETTERS: 'copy',
      CALL_CHANGES: 'copy',
      TRACES: 'copy',
      SIP_FAILURES: 'copy',
    },
    buckets: {
      CAPTURES: 'copy',
      FRONT_ENDS: 'copy',
      // To see whether services run.
      SERVICES: 'read',
    },
  },
  'backup-people': {
    account: 'PEOPLE',
    streams: { CHANNELS: 'copy' },
    buckets: {
      APPLICATIONS: 'copy',
      CONTACT_LISTS: 'copy',
      CONVERSATIONS: 'copy',
      MEETINGS: 'copy',
      MESSAGES: 'copy',
      OWN_CONVERSATIONS: 'copy',
      PEOPLE: 'copy',
      PRESENCE: 'copy',
      SIGN_IN_FAILURES: 'copy',
      SIGN_INS: 'copy',
      TOKENS: 'copy',
    },
  },
} as const satisfies Record<string, BusUser>;

/** The subjects of other accounts that this one may publish to, as it names them. */
function importedBy(account: AccountName): readonly string[] {
  return accountImports(account)
    .filter(({ kind }) => kind === 'service')
    .map(({ subject }) => importedAs(subject));
}

export type BusUserName = keyof typeof busUsers;

export const BUS_USER_NAMES = Object.keys(busUsers).filter((name): name is BusUserName => name in busUsers);

export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** Whether its account has JetStream, and which account that is. */
const COMMON = ['$JS.API.INFO', '$SYS.REQ.USER.INFO'];

/** The NATS subjects for the rights of a user. */
export function busPermissions(name: string, user: BusUser): Permissions {
  const { publish = [], subscribe = [], streams = {}, buckets = {} } = user;
  const all = [
    ...COMMON,
    ...publish,
    ...Object.entries(streams).flatMap(([stream, right]) => streamSubjects(stream, right)),
    ...Object.entries(buckets).flatMap(([bucket, right]) => bucketSubjects(bucket, right)),
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
  const read = [
    ...['STREAM.CREATE', 'STREAM.INFO', 'STREAM.MSG.GET', 'DIRECT.GET', 'CONSUMER.CREATE'].map(api),
    ...['DIRECT.GET', 'CONSUMER.CREATE', 'CONSUMER.DURABLE.CREATE', 'CONSUMER.INFO'].map((name) => `${api(name)}.>`),
    ...['CONSUMER.MSG.NEXT', 'CONSUMER.DELETE'].map((name) => `${api(name)}.>`),
    `$JS.ACK.${stream}.>`,
    `$JS.FC.${stream}.>`,
  ];
  if (right === 'read') return read;
  return [...read, ...['STREAM.UPDATE', 'STREAM.PURGE', 'STREAM.MSG.DELETE'].map(api)];
}

function bucketSubjects(bucket: string, right: StreamRight): string[] {
  const all = streamSubjects(`KV_${bucket}`, right);
  return right === 'own' ? [...all, `$KV.${bucket}.>`] : all;
}

/** Streams that accounts with JetStream have, with the account of each. */
export function streamAccounts(): ReadonlyMap<string, AccountName> {
  return new Map(
    BUS_USER_NAMES.flatMap((name) => {
      const { account, streams = {}, buckets = {} }: BusUser = busUsers[name];
      const names = [...Object.keys(streams), ...Object.keys(buckets).map((bucket) => `KV_${bucket}`)];
      return names.map((stream) => [stream, account] as const);
    }),
  );
}
