import { ACCOUNT_NAMES, busAccounts, accountExports, importedAs, accountImports } from './bus-accounts.js';
import { BUS_USER_NAMES, busUsers, busPermissions, streamAccounts, type Permissions } from './bus-users.js';

/** Whether a NATS subject with wildcards matches one without. */
function covers(pattern: string, subject: string): boolean {
  const [wanted, given] = [pattern.split('.'), subject.split('.')];
  for (const [at, word] of wanted.entries()) {
    if (word === '>') return given.length > at;
    if (given[at] === undefined || (word !== '*' && word !== given[at])) return false;
  }
  return wanted.length === given.length;
}

function usersWho(right: keyof Permissions, subject: string): readonly string[] {
  return BUS_USER_NAMES.filter((name) =>
    busPermissions(name, busUsers[name])[right].some((pattern) => covers(pattern, subject)),
  );
}

describe('permissions on the bus', () => {
  it.each([
    ['write tokens', 'publish', '$KV.TOKENS.abc', ['discovery-auth']],
    ['read the store of tokens', 'publish', '$JS.API.DIRECT.GET.KV_TOKENS', ['discovery-auth']],
    ['watch the store of tokens', 'publish', '$JS.API.CONSUMER.CREATE.KV_TOKENS.c', ['discovery-auth']],
    ['reply with the owner of a token', 'subscribe', 'ringdown.tokens.introspect', ['discovery-auth']],
    ['revoke tokens', 'publish', 'ringdown.tokens.revoked', ['discovery-auth']],
    ['report changes of people', 'publish', 'ringdown.people.audit', ['discovery-auth']],
    ['request which people exist', 'publish', 'ringdown.people.known', ['aggregator']],
    ['change people', 'publish', '$KV.PEOPLE.abc', ['discovery-auth']],
    ['follow people', 'publish', '$JS.API.CONSUMER.CREATE.KV_PEOPLE.c', ['discovery-auth', 'application-people']],
    ['count sign-ins', 'publish', '$KV.SIGN_IN_FAILURES.abc', ['discovery-auth']],
    ['store records', 'publish', 'ringdown.records.0', ['collector', 'aggregator']],
    ['store records of several partitions', 'publish', 'ringdown.bundles.0.1.-.-.-.-.-.-', ['collector']],
    ['read stored records', 'publish', '$JS.API.STREAM.MSG.GET.RECORDS', ['aggregator']],
    ['subscribe to stored records', 'publish', '$JS.API.CONSUMER.CREATE.RECORDS.c', ['aggregator']],
    ['pull stored records', 'publish', '$JS.FEED.API.CONSUMER.MSG.NEXT.RECORDS.c', ['subscribers']],
    ['change the stream of records', 'publish', '$JS.API.STREAM.UPDATE.RECORDS', ['aggregator']],
    ['empty the stream of records', 'publish', '$JS.API.STREAM.PURGE.RECORDS', ['aggregator']],
    ['delete the stream of records', 'publish', '$JS.API.STREAM.DELETE.RECORDS', ['backup']],
    ['copy the store of people', 'publish', '$JS.API.STREAM.SNAPSHOT.KV_PEOPLE', ['backup-people']],
    ['restore the store of people', 'publish', '$JS.API.STREAM.RESTORE.KV_PEOPLE', ['backup-people']],
    ['announce changed calls', 'publish', 'ringdown.calls.changed', ['aggregator']],
    ['write conversations', 'publish', '$KV.CONVERSATIONS.abc', ['application-people']],
    ['write to subscribers', 'publish', 'ringdown.subscribers.billing.calls', ['subscribers']],
    ['read records as they are stored', 'subscribe', 'ringdown.records.0', []],
  ] as const)('to %s are limited to the services that need them', (_what, right, subject, users) => {
    expect(usersWho(right, subject)).toEqual(users);
  });

  it('restrict replies to the service that has sent the request', () => {
    for (const name of BUS_USER_NAMES) expect(usersWho('subscribe', `_INBOX.${name}.x`)).toEqual([name]);
  });

  it('let a backup copy each stream and bucket of its account, except those of running processes', () => {
    const running = ['KV_SERVICES', 'KV_AGGREGATORS', 'KV_PARTITION_OWNERS'];
    const backups = { FEED: busUsers.backup, PEOPLE: busUsers['backup-people'] } as const;
    for (const [account, { streams, buckets }] of Object.entries(backups)) {
      const copied = Object.entries(buckets).flatMap(([name, right]) => (right === 'copy' ? [`KV_${name}`] : []));
      const all = [...streamAccounts()].filter(([stream, of]) => of === account && !running.includes(stream));
      expect(new Set([...Object.keys(streams), ...copied])).toEqual(new Set(all.map(([stream]) => stream)));
    }
  });

  it('let no service without streams of its own create, change or follow one', () => {
    for (const name of ['collector', 'subscribers'] as const) {
      const { publish } = busPermissions(name, busUsers[name]);
      expect(publish.filter((subject) => /CREATE|UPDATE|PURGE|DELETE|SNAPSHOT|RESTORE/.test(subject))).toEqual([]);
    }
  });
});

describe('accounts of the bus', () => {
  const { publish: common } = busPermissions('none', { account: 'FEED' });

  it('import what their users publish beyond it, and nothing that no user needs', () => {
    for (const account of ACCOUNT_NAMES) {
      const users = BUS_USER_NAMES.filter((name) => busUsers[name].account === account);
      const used = users.flatMap((name) => busPermissions(name, busUsers[name]).publish);
      const imported = accountImports(account).filter(({ kind }) => kind === 'service');
      for (const { subject } of imported) {
        expect(used.some((pattern) => covers(pattern, importedAs(subject)) || pattern === importedAs(subject))).toBe(
          true,
        );
      }
    }
  });

  it.each(['COLLECTOR', 'SUBSCRIBERS'] as const)(
    'of %s has no subjects but those that others offer to it',
    (account) => {
      const used = BUS_USER_NAMES.filter((name) => busUsers[name].account === account).flatMap(
        (name) => busPermissions(name, busUsers[name]).publish,
      );
      const own = [
        'ringdown.subscribers.>',
        ...common,
        ...accountImports(account).map(({ subject }) => importedAs(subject)),
      ];
      expect(busAccounts[account].jetStream).toBe(false);
      expect(used.filter((pattern) => !own.includes(pattern))).toEqual([]);
    },
  );

  it('offer nothing of JetStream that names a subject to deliver to or a stream to copy', () => {
    const offered = ACCOUNT_NAMES.flatMap((account) => accountExports(account)).map(({ subject }) => subject);
    expect(offered.filter((subject) => subject.startsWith('$JS.API.'))).toEqual(
      offered.filter((subject) => /^\$JS\.API\.(STREAM\.INFO|DIRECT\.GET|CONSUMER\.(INFO|MSG\.NEXT))\./.test(subject)),
    );
  });
});
