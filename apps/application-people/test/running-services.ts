import type { PersonEntry, Role } from '@ringdown/directory';
import { hashPassword } from '@ringdown/directory/passwords';
import { writePeopleFile } from '@ringdown/directory/people-file';
import { Health, Metrics, type Logger } from '@ringdown/observability';
import { startWebService } from '@ringdown/web-service';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { applicationPeople } from '../src/index.js';

export interface RunningService {
  /** Its base URL: `http://127.0.0.1:port`. */
  readonly base: string;
  stop(): Promise<void>;
}

/** The whole service as its `main` runs it, but inside this process. */
export async function startApplicationPeople(
  natsUrl: string,
  env: Record<string, string>,
  logger: Logger = quietLogger(),
): Promise<RunningService> {
  const { app, base } = await startWebService({
    service: applicationPeople,
    env: { PUBLIC_ORIGIN: 'https://uc.example.test', SERVICE_PORT: '0', WEB_CONNECTIONS_PER_ADDRESS: '10000', ...env },
    natsUrl,
    shared: { logger, metrics: new Metrics(), health: new Health() },
  });
  let stopped: Promise<void> | undefined;
  return { base, stop: () => (stopped ??= app.close()) };
}

const MAIN = programFile('discovery-auth');

/** The real token service in a process of its own, as it runs beside this one; `npm run build` builds it. */
export async function startDiscoveryAuth(natsUrl: string, env: Record<string, string>): Promise<RunningService> {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...programEnvironment(), NATS_URL: natsUrl, SERVICE_PORT: '0', INNER_PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const base = await startedServiceAddress(child);
  return {
    base,
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function startedServiceAddress(child: ChildProcess): Promise<string> {
  const lines: string[] = [];
  if (child.stderr === null) throw new Error('the service has no standard error');
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    const [, address] = /"address":"(http:[^"]+)"/.exec(line) ?? [];
    if (address === undefined) continue;
    // From here on its output is discarded, so that it never blocks on a full pipe.
    setImmediate(() => child.stderr?.resume());
    return address;
  }
  throw new Error(`discovery-auth did not start:\n${lines.join('\n')}`);
}

export const PASSWORD = 'correct horse battery';

/**
 * One hash for all: a new hash would count as a new password, which revokes the tokens that were issued for the old
 * one.
 */
const passwordHashed = hashPassword(PASSWORD);

/** A people file in which everyone has {@link PASSWORD}; `user` without domain. */
export async function writePeople(file: string, people: readonly Staff[]): Promise<void> {
  const passwordHash = await passwordHashed;
  await writePeopleFile(
    file,
    people.map(({ user, name, contacts = [], roles = ['user'], ...rest }): PersonEntry => ({
      username: `${user}@example.test`,
      name,
      sipAddress: `sip:${user}@example.test`,
      mail: `${user}@example.test`,
      phones: {},
      contacts: contacts.map((contact) => `${contact}@example.test`),
      roles,
      passwordHash,
      ...rest,
    })),
  );
}

export interface Staff extends Partial<Omit<PersonEntry, 'roles' | 'contacts'>> {
  readonly user: string;
  readonly name: string;
  readonly contacts?: readonly string[];
  readonly roles?: readonly Role[];
}

export async function fetchUserToken(tokenService: string, user: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', username: user, password: PASSWORD });
  const response = await fetch(`${tokenService}/uc/token`, { method: 'POST', body });
  const { access_token: token } = Object.fromEntries(Object.entries(Object(await response.json())));
  if (typeof token !== 'string') throw new Error(`no token for ${user}: ${response.status}`);
  return token;
}

/** For a guest of this meeting; with an earlier token, for the same guest. */
export async function guestTokenOf(tokenService: string, meeting: object, renewed?: string): Promise<string> {
  const { conferenceId, onlineMeetingUri } = Object(meeting);
  const body = new URLSearchParams({
    grant_type: 'urn:ringdown:uc:anonmeeting',
    password: String(conferenceId),
    ringdown_rtc_conferenceuri: String(onlineMeetingUri),
    ...(renewed === undefined ? {} : { ringdown_rtc_renew: renewed }),
  });
  const response = await fetch(`${tokenService}/uc/token`, { method: 'POST', body });
  const { access_token: token } = Object(await response.json());
  if (typeof token !== 'string') throw new Error(`no token for a guest: ${response.status}`);
  return token;
}
