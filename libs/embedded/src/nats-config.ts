import { makeNatsKey, type NatsKey } from '@ringdown/nats-keys';
import type { BusUserName } from './bus-users.js';
import { accountsConfig, probeConfig } from './users-config.js';

/** The keys of all users of an embedded server. */
export type BusKeys = Readonly<Record<BusUserName | 'probe', NatsKey>>;

export function makeBusKeys(): BusKeys {
  return {
    collector: makeNatsKey(),
    aggregator: makeNatsKey(),
    subscribers: makeNatsKey(),
    'discovery-auth': makeNatsKey(),
    'application-people': makeNatsKey(),
    backup: makeNatsKey(),
    'backup-people': makeNatsKey(),
    probe: makeNatsKey(),
  };
}

export interface NatsConfigOptions {
  /** Address and port; with port -1 the server chooses one. */
  readonly listen: string;
  readonly keys: BusKeys;
  /**
   * For tests and benchmarks: of users with all permissions, and of each service in addition to its key.
   */
  readonly password: string | undefined;
  readonly lines: readonly string[];
}

/** The configuration file of a nats-server with our users. */
export function natsConfig({ listen, keys, password, lines }: NatsConfigOptions): string {
  const secret = JSON.stringify(password);
  const accounts = accountsConfig(
    (name) => [
      `nkey: ${keys[name].publicKey}`,
      ...(password === undefined ? [] : [`user: ${name}, password: ${secret}`]),
    ],
    {
      FEED: [probeConfig(keys.probe.publicKey), ...(password === undefined ? [] : [powerful(ALL_POWERFUL, secret)])],
      PEOPLE: password === undefined ? [] : [powerful(ALL_POWERFUL_PEOPLE, secret)],
    },
  );
  return `listen: ${JSON.stringify(listen)}
# Seconds to log in: signing takes a busy machine longer than the usual two.
authorization { timeout: 10 }
${accounts}${lines.join('\n')}
`;
}

function powerful(name: string, secret: string): string {
  return `{ user: ${name}, password: ${secret} }`;
}

/** Users with all permissions in the account of the feed, and in that of people. */
export const ALL_POWERFUL = 'ringdown';
export const ALL_POWERFUL_PEOPLE = 'ringdown-people';

/** The address of a server with the login of a user: a seed is used to sign and is never sent. */
export function natsUrl(user: string, secret: string, address: string): string {
  return `nats://${user}:${secret}@${address}`;
}
