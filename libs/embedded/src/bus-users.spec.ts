import { BUS_USER_NAMES, busUsers, permissionsOf, type BusUser, type Permissions } from './bus-users.js';

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
    permissionsOf(name, busUsers[name])[right].some((pattern) => covers(pattern, subject)),
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
    ['read stored records', 'publish', '$JS.API.STREAM.MSG.GET.RECORDS', ['aggregator', 'subscribers']],
    ['subscribe to stored records', 'publish', '$JS.API.CONSUMER.CREATE.RECORDS.c', ['aggregator', 'subscribers']],
    ['change the stream of records', 'publish', '$JS.API.STREAM.UPDATE.RECORDS', ['aggregator']],
    ['empty the stream of records', 'publish', '$JS.API.STREAM.PURGE.RECORDS', ['aggregator']],
    ['delete the stream of records', 'publish', '$JS.API.STREAM.DELETE.RECORDS', ['backup']],
    ['copy the store of people', 'publish', '$JS.API.STREAM.SNAPSHOT.KV_PEOPLE', ['backup']],
    ['restore the store of people', 'publish', '$JS.API.STREAM.RESTORE.KV_PEOPLE', ['backup']],
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

  it('let a backup copy each stream and bucket, except those of running processes', () => {
    const users = BUS_USER_NAMES.filter((name) => name !== 'backup').map((name): BusUser => busUsers[name]);
    const used = (kind: 'streams' | 'buckets'): string[] => users.flatMap((user) => Object.keys(user[kind] ?? {}));
    const { streams, buckets } = busUsers.backup;
    const copied = Object.entries(buckets).flatMap(([name, right]) => (right === 'copy' ? [name] : []));
    expect(new Set(Object.keys(streams))).toEqual(new Set(used('streams')));
    expect(new Set([...copied, 'SERVICES', 'AGGREGATORS', 'PARTITION_OWNERS'])).toEqual(new Set(used('buckets')));
  });
});
