import { readFirstUsers, type FirstUser } from '@ringdown/directory/people-file';
import { ownCommand, type Environment } from '@ringdown/settings';
import { existsSync } from 'node:fs';
import { addressLines, fingerprintLine } from './host/addresses.js';
import type { GeneratedCertificate } from './host/web.js';
import type { Address } from './running-system.js';

export interface WelcomeFacts {
  readonly origin: string;
  readonly addresses: readonly Address[];
  /** True when the feed is open only to this machine because the operator has not configured other senders. */
  readonly feedIsClosed: boolean;
  readonly tokenPath: string;
  /** What the operator set. */
  readonly env: Environment;
  /** File with the first users; undefined when the operator provides a people file or a directory server. */
  readonly firstUsersFile: string | undefined;
  readonly showPasswords: boolean;
  /** Nothing is attached to it that could be typed Ctrl-C into. */
  readonly isInBackground: boolean;
  /** The certificate that a client has to trust; undefined for the operator's own. */
  readonly certificate: GeneratedCertificate | undefined;
}

/** The text that `npm start` prints when everything runs: the addresses, who may sign in, what to try next. */
export async function welcome(facts: WelcomeFacts): Promise<string> {
  const { firstUsersFile } = facts;
  // Operators delete it once they know the passwords, or begin with people of their own.
  const isKept = firstUsersFile !== undefined && existsSync(firstUsersFile);
  const users = isKept ? await readFirstUsers(firstUsersFile) : [];
  const trust = facts.certificate === undefined ? '' : ` --cacert ${facts.certificate.file}`;
  const lines = [
    '',
    runningLine(facts),
    '',
    ...addressLines(facts.addresses),
    ...(facts.feedIsClosed ? [CLOSED_FEED] : []),
    ...(facts.certificate === undefined
      ? []
      : [fingerprintLine(facts.certificate.fingerprint, facts.certificate.authority)]),
    '',
    ...userLines(users, facts),
    'Try next, in another terminal:',
    '',
    `  ${demoCommand(facts.env)}`,
    `  ${signInCommand(users, facts, trust)}`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function runningLine({ isInBackground }: WelcomeFacts): string {
  const stop = `${isInBackground ? '' : 'Ctrl-C or '}"${ownCommand('stop')}" stops it`;
  return `Ringdown is running. ${stop}, "${ownCommand('status')}" shows its state.`;
}

const CLOSED_FEED = '    only for this machine: COLLECTOR_ALLOW=192.0.2.0/24 allows front ends with such addresses';

/** Settings from which the demo finds this system. */
const SHARED = ['PORT', 'COLLECTOR_PORT', 'DATA_DIR', 'VENDOR_PROFILE'];

/** The command for another terminal, which does not have the environment of this one. */
function demoCommand(env: Environment): string {
  const given = SHARED.flatMap((name) => (env[name] === undefined ? [] : [`${name}=${quoted(env[name])}`]));
  return [...given, ownCommand('demo')].join(' ');
}

function quoted(value: string): string {
  return /^[\w./:-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}

function userLines(users: readonly FirstUser[], { showPasswords, firstUsersFile }: WelcomeFacts): string[] {
  if (users.length === 0) return [];
  if (!showPasswords) return [`  Users and passwords     ${firstUsersFile}`, ''];
  const rows = users.map(({ username, password, roles }) => `    ${username}  ${password}  (${roles.join(', ')})`);
  return [`  First users (kept in ${firstUsersFile}):`, ...rows, ''];
}

function signInCommand(users: readonly FirstUser[], facts: WelcomeFacts, trust: string): string {
  const operator = users.find(({ roles }) => roles.includes('operator'));
  const name = operator?.username ?? 'NAME';
  const password = facts.showPasswords && operator !== undefined ? operator.password : 'PASSWORD';
  return `curl${trust} -d grant_type=password -d Username=${name} -d password=${password} ${facts.origin}${facts.tokenPath}`;
}
