import {
  ACCOUNT_NAMES,
  busAccounts,
  accountExports,
  importedAs,
  accountImports,
  type AccountName,
  type Offer,
} from './bus-accounts.js';
import { BUS_USER_NAMES, busUsers, busPermissions, type BusUserName, type Permissions } from './bus-users.js';

/** Users beside those of the services, as text, by their account. */
export type FurtherUsers = Readonly<Partial<Record<AccountName, readonly string[]>>>;

/**
 * The accounts in a configuration of nats-server, with their users. `loginsOf`: the lines with the credentials of a user;
 * with several, it may log in with each.
 */
export function accountsConfig(loginsOf: (name: BusUserName) => readonly string[], further: FurtherUsers = {}): string {
  const accounts = ACCOUNT_NAMES.map((account) => {
    const own = BUS_USER_NAMES.filter((name) => busUsers[name].account === account).flatMap((name) =>
      loginsOf(name).map((login) => userConfig(name, login, busPermissions(name, busUsers[name]))),
    );
    return accountConfig(account, [...own, ...(further[account] ?? [])]);
  });
  return `accounts {\n${accounts.join('\n')}\n}\n`;
}

function accountConfig(account: AccountName, users: readonly string[]): string {
  const offered = accountExports(account);
  const subjects = [...new Set(offered.map(({ subject }) => subject))];
  const exported = [
    ...subjects.map((subject) => exportConfig(offered.filter((offer) => offer.subject === subject))),
    ...(busAccounts[account].openStreams ?? []).map((subject) => `\n  { stream: ${JSON.stringify(subject)} }`),
  ];
  return `${account} {
${busAccounts[account].jetStream ? 'jetstream: enabled\n' : ''}users: [
${users.join('\n')}
]
exports: [${exported.join('')}
]
imports: [${accountImports(account).map(importConfig).join('')}
]
}`;
}

/** A pull is answered by several messages; after this time without one, its replies lead nowhere. */
const MANY_REPLIES = ', response_type: stream, response_threshold: "30s"';

function exportConfig(offers: readonly Offer[]): string {
  const [{ kind, subject } = { kind: 'service', subject: '' }] = offers;
  const accounts = offers.map(({ to }) => to).join(', ');
  const replies = subject.startsWith('$JS.API.CONSUMER.MSG.NEXT.') ? MANY_REPLIES : '';
  return `\n  { ${kind}: ${JSON.stringify(subject)}, accounts: [${accounts}]${replies} }`;
}

function importConfig({ kind, subject, by }: Offer): string {
  const to = importedAs(subject);
  const renamed = to === subject ? '' : `, to: ${JSON.stringify(to)}`;
  return `\n  { ${kind}: { account: ${by}, subject: ${JSON.stringify(subject)} }${renamed} }`;
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
  const accounts = accountsConfig((name) => [`nkey: $${keyVariable(name)}`]);
  return `# Made by \`npm run bus:users\` of libs/embedded/src/bus-users.ts and bus-accounts.ts: what each service may do on the bus.
${accounts}`;
}
