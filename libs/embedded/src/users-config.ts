import { BUS_USER_NAMES, busUsers, permissionsOf, type BusUserName, type Permissions } from './bus-users.js';

/**
 * The entries of `authorization.users` in a configuration of nats-server. `loginOf`: the lines with a user's
 * credentials.
 */
export function usersConfig(loginOf: (name: BusUserName) => string): string {
  return BUS_USER_NAMES.map((name) => userConfig(name, loginOf(name), permissionsOf(name, busUsers[name]))).join('\n');
}

/** A user that may only check whether JetStream responds. */
export function probeConfig(key: string): string {
  return userConfig('probe', `nkey: ${key}`, { publish: ['$JS.API.INFO'], subscribe: ['_INBOX.probe.>'] });
}

function userConfig(name: string, login: string, { publish, subscribe }: Permissions): string {
  return `# ${name}
{
  ${login}
  permissions: {
    publish: [${list(publish)}
    ]
    subscribe: [${list(subscribe)}
    ]
    # One answer to each request that reaches it.
    allow_responses: { max: 1, expires: "2m" }
  }
}`;
}

function list(subjects: readonly string[]): string {
  return subjects.map((subject) => `\n      ${JSON.stringify(subject)}`).join('');
}

/** Name of the environment variable with the public key of a user, in deploy/bus/users.conf. */
export function keyVariable(name: BusUserName): string {
  return `NATS_KEY_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The text of deploy/bus/users.conf. */
export function deployedUsers(): string {
  const users = usersConfig((name) => `nkey: $${keyVariable(name)}`);
  return `# Made by \`npm run bus:users\` of libs/embedded/src/bus-users.ts: what each service may do on the bus.
users: [
${users}
]
`;
}
