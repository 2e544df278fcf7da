import { readFileSync } from 'node:fs';
import { profileNames, type VendorNames } from './vendor-names.js';

/** A person who may sign in, as listed in `first-users.json`. */
export interface KnownUser {
  readonly username: string;
  readonly password: string;
  readonly roles: readonly string[];
}

/** The system under test: URLs, and people who may sign in. The suite knows nothing else of it. */
export interface SystemUnderTest {
  /** The URL where discovery begins. */
  readonly webUrl: URL;
  readonly collectorUrl: URL;
  /** Certificate to trust, PEM; undefined if the system's certificate is trusted already. */
  readonly ca: string | undefined;
  readonly user: KnownUser;
  readonly otherUser: KnownUser;
  readonly operator: KnownUser;
  readonly names: VendorNames;
}

/** Throws an Error that names the missing variables. */
export function systemUnderTest(env: Readonly<Record<string, string | undefined>> = process.env): SystemUnderTest {
  const webUrl = new URL(needed(env, 'RINGDOWN_WEB_URL', 'https://localhost:8443'));
  const collectorUrl = new URL(needed(env, 'RINGDOWN_COLLECTOR_URL', 'http://localhost:8080'));
  const users = readUsers(needed(env, 'RINGDOWN_USERS_FILE', 'a JSON list of {username, password, roles}'));
  const caFile = env['RINGDOWN_CA_FILE'];
  const isOperator = ({ roles }: KnownUser): boolean => roles.includes('operator');
  const [user, otherUser] = users.filter((each) => !isOperator(each));
  const operator = users.find(isOperator);
  if (user === undefined || otherUser === undefined || operator === undefined) {
    throw new Error('RINGDOWN_USERS_FILE must hold two users without the role "operator" and one with it');
  }
  return {
    webUrl,
    collectorUrl,
    ca: caFile ? readFileSync(caFile, 'utf8') : undefined,
    user,
    otherUser,
    operator,
    names: profileNames(env['RINGDOWN_PROFILE'] ?? 'default'),
  };
}

/** The sender of a front end, which receives HEP over UDP and TCP at a port of this machine. */
export interface SenderUnderTest {
  readonly frontEnd: string;
  readonly port: number;
}

/** `RINGDOWN_SENDERS` lists them; throws an Error if it is missing. */
export function sendersUnderTest(
  env: Readonly<Record<string, string | undefined>> = process.env,
): readonly SenderUnderTest[] {
  return needed(env, 'RINGDOWN_SENDERS', 'fe1.example.test=9061,fe2.example.test=9062')
    .split(',')
    .map((each) => {
      const [frontEnd = '', port] = each.split('=');
      return { frontEnd, port: Number(port) };
    });
}

function needed(env: Readonly<Record<string, string | undefined>>, name: string, example: string): string {
  const value = env[name];
  if (value) return value;
  throw new Error(
    `${name} is not set (${example}). This suite tests a system that runs: tell it where with RINGDOWN_WEB_URL, ` +
      'RINGDOWN_COLLECTOR_URL, RINGDOWN_USERS_FILE, RINGDOWN_CA_FILE, RINGDOWN_PROFILE and RINGDOWN_SENDERS.',
  );
}

function readUsers(file: string): readonly KnownUser[] {
  const list: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(list)) throw new Error(`${file} must hold a list of users`);
  return list;
}
