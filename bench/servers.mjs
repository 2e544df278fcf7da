/** The measured processes, each started separately, as in a deployment. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { hashPassword } from '@ringdown/directory/passwords';
import { writePeopleFile } from '@ringdown/directory/people-file';
import { startNatsServer } from '@ringdown/embedded/bus';
import { createLogger } from '@ringdown/observability';
import { aggregatorFlags, waitingPollsFlags } from '../scripts/node-flags.mjs';
import { ensureNatsServer } from '../scripts/prepare.mjs';

const PASSWORD = 'correct horse battery';
const FLAGS = { 'application-people': waitingPollsFlags, aggregator: aggregatorFlags };
const logger = createLogger('bench', { logLevel: 'warn', logFormat: 'json' });

export class Servers {
  #folder = mkdtempSync(join(tmpdir(), 'ringdown-bench-'));
  #children = [];
  #nats;
  #apps;

  /** `checkout`: the folder, with a slash at its end, whose services are started; it is built. */
  constructor(checkout = new URL('../', import.meta.url)) {
    this.#apps = new URL('apps/', checkout);
  }

  /** Starts NATS, the token service and application-people, with this many users. */
  async start(users, settings = {}) {
    const people = join(this.#folder, 'people.json');
    const passwordHash = await hashPassword(PASSWORD);
    await writePeopleFile(
      people,
      users.map((username) => ({
        username,
        passwordHash,
        name: username,
        sipAddress: `sip:${username}`,
        roles: ['user'],
        phones: {},
        contacts: [],
      })),
    );
    return this.startWith({ PEOPLE_FILE: people, ...settings });
  }

  /** The same with people from the settings. */
  async startWith(settings) {
    const nats = await this.startBus();
    const env = { NATS_URL: nats.url, DATA_DIR: this.#folder, ...settings };
    const auth = await this.service('discovery-auth', env);
    const service = await this.service('application-people', env);
    return { natsUrl: nats.url, natsPid: nats.pid, auth, service };
  }

  /** Where the bus keeps its streams. */
  get busFolder() {
    return join(this.#folder, 'nats');
  }

  /** Only NATS; installs it where it is missing and this user may. */
  async startBus() {
    ensureNatsServer();
    this.#nats = await startNatsServer({ folder: this.busFolder, logger, password: 'bench' });
    return this.#nats;
  }

  /** A script that prints its address; Node gets the same options as for our services. */
  async bare(script, env = {}) {
    const child = this.#child([...waitingPollsFlags, fileURLToPath(script)], env, ['ignore', 'pipe', 'inherit']);
    const [base] = await once(createInterface({ input: child.stdout }), 'line');
    return { base, pid: child.pid };
  }

  async stop() {
    for (const child of this.#children.toReversed()) {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    }
    await this.#nats?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The process of one of our apps; returns its address. */
  async service(name, env) {
    const main = [`../dist/${name}/main.js`, `${name}/dist/src/main.js`]
      .map((file) => fileURLToPath(new URL(file, this.#apps)))
      .find((file) => existsSync(file));
    const settings = { SERVICE_PORT: '0', INNER_PORT: '0', ...env };
    const child = this.#child([...(FLAGS[name] ?? []), main], settings, ['ignore', 'ignore', 'pipe']);
    for await (const line of createInterface({ input: child.stderr })) {
      const [, base] = /"address":"(http:[^"]+)"/.exec(line) ?? [];
      if (base === undefined) continue;
      setImmediate(() => child.stderr.resume());
      return { base, pid: child.pid };
    }
    throw new Error(`${name} did not start`);
  }

  #child(args, env, stdio) {
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...env }, stdio });
    this.#children.push(child);
    return child;
  }
}

export async function signIn(auth, username, password = PASSWORD) {
  const body = new URLSearchParams({ grant_type: 'password', username, password });
  const response = await fetch(`${auth.base}/uc/token`, { method: 'POST', body });
  const { access_token: token } = await response.json();
  if (token === undefined) throw new Error(`${username} could not sign in: ${response.status}`);
  return token;
}

/** Resident memory of a process in megabytes, as reported by the system. */
export function megabytes(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Its maximum so far. */
export function peakMegabytes(pid) {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Seconds of processor time that a process has used. */
export function cpuSeconds(pid) {
  return secondsOf(pid, 11);
}

/** The time of its ended children. */
export function endedChildrenSeconds(pid) {
  return secondsOf(pid, 13);
}

/** User and system time, which are neighbouring fields in `/proc/<pid>/stat`. */
function secondsOf(pid, first) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[first]) + Number(fields[first + 1])) / 100;
}
