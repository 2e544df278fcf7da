import type { Logger } from '@ringdown/observability';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Child } from './child.js';
import { freePort, listening } from './free-port.js';
import { jetStreamAnswers } from './jetstream-probe.js';

export interface EmbeddedNats {
  readonly url: string;
  readonly pid: number | undefined;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Where Debian puts servers is not on every user's PATH. */
const EXTRA_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

export function findNatsServer(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = [...(env['PATH'] ?? '').split(delimiter), ...EXTRA_FOLDERS];
  return folders.map((folder) => join(folder, 'nats-server')).find((file) => existsSync(file));
}

const USER = 'ringdown';
/** It has other work on machines that are busy. */
const ANSWER_MS = 10_000;

export interface NatsOptions {
  /** Folder for configuration and JetStream files. */
  readonly folder: string;
  readonly logger: Logger;
  readonly port?: number;
  /** Made anew at each start when left out. */
  readonly password?: string;
}

/** Starts nats-server on the loopback address with JetStream on disk and a password of its own. */
export async function startNatsServer(options: NatsOptions): Promise<EmbeddedNats> {
  const { folder, logger, password = randomBytes(18).toString('base64url') } = options;
  const command = findNatsServer();
  if (command === undefined) {
    throw new Error(
      'nats-server was not found. Either install it (Debian: apt-get install nats-server), ' +
        'put it on the PATH, or set NATS_URL to a server that runs already',
    );
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const port = options.port ?? (await freePort());
  const config = configFile(folder);
  const { stdout: version } = await promisify(execFile)(command, ['--version']);
  const lines = [
    `listen: "127.0.0.1:${port}"`,
    `authorization { user: "${USER}", password: "${password}" }`,
    jetStreamLine(folder, version),
  ];
  writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o600 });
  const child = await Child.start({
    name: 'nats-server',
    command,
    args: ['--config', config],
    ownFile: config,
    pidFile: join(folder, 'nats-server.pid'),
    logger,
    ready: () => listening(port),
    stillWorks: () => jetStreamAnswers({ port, user: USER, password, withinMs: ANSWER_MS }),
  });
  return {
    url: urlOf(password, port),
    get pid() {
      return child.pid;
    },
    stop: (signal) => child.stop(signal),
  };
}

/**
 * `version`: what `nats-server --version` says. From 2.10 on a message is on disk before it is acknowledged, as in
 * deploy/bus; older ones know no such setting, and a crash of the machine can lose what was acknowledged last.
 */
export function jetStreamLine(folder: string, version: string): string {
  const [, major, minor] = /v(\d+)\.(\d+)/.exec(version) ?? [];
  const knowsSync = Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 10);
  return `jetstream { store_dir: ${JSON.stringify(folder)}${knowsSync ? ', sync_interval: always' : ''} }`;
}

/** Where the server of this folder listens, or listened when it ran; undefined when there never was one. */
export function embeddedNatsUrl(folder: string): string | undefined {
  const config = configFile(folder);
  if (!existsSync(config)) return undefined;
  const lines = readFileSync(config, 'utf8');
  const [, port] = /^listen: "127\.0\.0\.1:(\d+)"$/m.exec(lines) ?? [];
  const [, password] = /password: "([^"]+)"/.exec(lines) ?? [];
  return port === undefined || password === undefined ? undefined : urlOf(password, Number(port));
}

function configFile(folder: string): string {
  return join(folder, 'nats.conf');
}

function urlOf(password: string, port: number): string {
  return `nats://${USER}:${password}@127.0.0.1:${port}`;
}
