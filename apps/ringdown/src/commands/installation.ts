import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '@ringdown/settings';

/** Where an installed package keeps what it is given and what it makes: never inside of its own folder, which the next version replaces. */
export interface Installation {
  readonly kind: 'tarball' | 'deb';
  readonly root: string;
  readonly envFile: string;
  readonly dataDir: string;
  readonly backups: string;
  /** For compiled code, of the user who owns the data; undefined where it is in the home folder of the caller (scripts/package/ringdown.sh). */
  readonly cache?: string;
}

const FILE = new URL('../../../../../install.json', import.meta.url);
/** The variable that names another place, as an image does. */
const PLACES = { envFile: 'RINGDOWN_ENV_FILE', dataDir: 'DATA_DIR', backups: 'RINGDOWN_BACKUPS' } as const;

/** What `$NAME` in a path of install.json stands for: the XDG Base Directory Specification, in a home folder. */
const XDG: Readonly<Record<string, string>> = {
  XDG_CONFIG_HOME: '.config',
  XDG_DATA_HOME: '.local/share',
};

/** Throws an Error in one line where this is not a package. */
export function readInstallation(env: Environment, file: URL = FILE): Installation {
  const content: Partial<Record<string, unknown>> = Object(JSON.parse(readFileSync(file, 'utf8')));
  const place = (name: keyof typeof PLACES): string => placeOf(env[PLACES[name]] ?? String(content[name]), env);
  const [envFile, dataDir, backups] = [place('envFile'), place('dataDir'), place('backups')];
  const kind = content['kind'] === 'deb' ? 'deb' : 'tarball';
  const { cache } = content;
  const own = typeof cache === 'string' ? { cache } : {};
  return { kind, root: dirname(fileURLToPath(file)), envFile, dataDir, backups, ...own };
}

function placeOf(path: string, env: Environment): string {
  const [, name = '', rest = ''] = /^\$(\w+)\/(.*)$/.exec(path) ?? [];
  const folder = XDG[name];
  if (folder === undefined) return resolve(path);
  const set = env[name];
  // A relative one is invalid, and must be ignored.
  return join(set?.startsWith('/') === true ? set : join(homedir(), folder), rest);
}
