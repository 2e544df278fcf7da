import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from './child-environment.js';

/** A nats-server program of this machine. */
export interface NatsProgram {
  readonly command: string;
  /** What `nats-server --version` prints. */
  readonly version: string;
}

export interface NatsProgramOptions {
  /** The folders to search, in this order. */
  readonly folders?: readonly string[];
  /** Accept one that is older than 2.10 if no other is found. */
  readonly allowOld?: boolean;
}

/** That of a package, with which it was tried. A checkout has no such folder. */
const PACKAGED_FOLDER = resolve(import.meta.dirname, '../../../../servers');

/** The checkout's own nats-server, installed by {@link installNatsServer}. */
export const OWN_NATS_FOLDER = resolve(import.meta.dirname, '../../../../.cache/nats-server');

/** Folders of Debian and others for servers that are not on every user's PATH. */
const EXTRA_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

export const WAYS_TO_GET_ONE =
  'On Debian with apt, "npm start" installs one from Debian 13 in .cache of the checkout; otherwise put one on the PATH ' +
  '(https://github.com/nats-io/nats-server/releases), or set NATS_URL to a running server';

/** The first that is 2.10 or later; by default in the package, on the PATH, in the usual folders, in the checkout. */
export async function findNatsServer(options: NatsProgramOptions = {}): Promise<NatsProgram | undefined> {
  const { folders = usualFolders(), allowOld = false } = options;
  const commands = folders.map((folder) => join(folder, 'nats-server')).filter((file) => existsSync(file));
  let old: NatsProgram | undefined;
  for (const command of new Set(commands)) {
    const version = await natsVersion(command);
    if (version === undefined) continue;
    if (syncsBeforeAck(version)) return { command, version };
    old ??= { command, version };
  }
  return allowOld ? old : undefined;
}

/**
 * `version`: as in `nats-server --version` or a server's greeting. From 2.10 on a server can write a message to disk
 * before it acknowledges it; an older one writes to disk every two minutes, and a crash of the machine loses the rest.
 */
export function syncsBeforeAck(version: string): boolean {
  const [, major, minor] = /(\d{1,4})\.(\d{1,4})/.exec(version) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 10);
}

function usualFolders(): string[] {
  return [PACKAGED_FOLDER, ...(process.env['PATH'] ?? '').split(delimiter), ...EXTRA_FOLDERS, OWN_NATS_FOLDER];
}

/** Undefined if the file cannot be run. */
async function natsVersion(command: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(command, ['--version'], { env: childEnvironment(process.env) });
    return stdout.trim();
  } catch {
    return undefined;
  }
}
