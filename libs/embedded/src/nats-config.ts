import type { BusUserName } from './bus-users.js';
import { makeNatsKey, type NatsKey } from './nkey.js';
import { probeConfig, usersConfig } from './users-config.js';

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
    probe: makeNatsKey(),
  };
}

export interface NatsConfigOptions {
  /** Address and port; with port -1 the server chooses one. */
  readonly listen: string;
  readonly keys: BusKeys;
  /**
   * For tests and benchmarks: of a user `ringdown` with all permissions, and of each service in addition to its key.
   */
  readonly password: string | undefined;
  readonly lines: readonly string[];
}

/** The configuration file of a nats-server with our users. */
export function natsConfig({ listen, keys, password, lines }: NatsConfigOptions): string {
  const secret = JSON.stringify(password);
  const passwords =
    password === undefined
      ? ''
      : `{ user: ${ALL_POWERFUL}, password: ${secret} }\n${usersConfig((name) => `user: ${name}, password: ${secret}`)}`;
  const users = usersConfig((name) => `nkey: ${keys[name].publicKey}`);
  return `listen: ${JSON.stringify(listen)}
authorization {
# Seconds to log in: signing takes a busy machine longer than the usual two.
timeout: 10
users: [
${passwords}
${users}
${probeConfig(keys.probe.publicKey)}
]
}
${lines.join('\n')}
`;
}

export const ALL_POWERFUL = 'ringdown';

/** The address of a server with the login of a user: a seed is used to sign and is never sent. */
export function natsUrl(user: string, secret: string, address: string): string {
  return `nats://${user}:${secret}@${address}`;
}
