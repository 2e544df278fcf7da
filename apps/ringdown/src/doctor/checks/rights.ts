import { existsSync, readdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { Check } from '../check.js';
import { ok, problem, warning, type Finding } from '../finding.js';

export interface RightsFacts {
  readonly dataDir: string;
  /** Owner of the folder, or of the nearest one that exists. */
  readonly owner: number;
  readonly exists: boolean;
  /** A file in it of another user than its owner. */
  readonly foreign: string | undefined;
  readonly user: number;
  readonly hasName: boolean;
  readonly needsName: boolean;
  /** Files with secrets, and whether others may read them. */
  readonly readable: readonly string[];
}

const OTHERS_MAY_READ = 0o004;
const ROOT = 0;

export function rightsFindings(facts: RightsFacts): readonly Finding[] {
  const found = [...folderFindings(facts), ...nameFindings(facts), ...secretFindings(facts)];
  return found.length > 0 ? found : [ok(`user ${facts.user} may read and write ${facts.dataDir}`)];
}

function folderFindings({ dataDir, owner, exists, foreign, user }: RightsFacts): readonly Finding[] {
  if (foreign !== undefined)
    return [
      problem(
        `${dataDir} belongs to user ${owner}, but ${foreign} in it does not`,
        `chown -R ${owner} ${dataDir}, as root`,
      ),
    ];
  if (user === ROOT || user === owner) return [];
  const what = exists
    ? `${dataDir} belongs to user ${owner}`
    : `${dataDir} does not exist, nor may user ${user} make it`;
  return [problem(what, `run it as user ${owner}, or, as root: install -d -o ${user} -m 0700 ${dataDir}`)];
}

function nameFindings({ user, hasName, needsName }: RightsFacts): readonly Finding[] {
  if (hasName || !needsName) return [];
  return [
    warning(
      `user ${user} has no entry in /etc/passwd; the database inside then needs user namespaces`,
      'start as a user with an entry, or set DATABASE_URL to a server of your own',
    ),
  ];
}

function secretFindings({ readable }: RightsFacts): readonly Finding[] {
  return readable.map((file) => warning(`everybody on this machine may read ${file}`, `chmod o-rwx ${file}`));
}

export const RIGHTS: Check = {
  name: 'rights',
  looksAt: 'a data folder of another user, files of several users in it, secrets that everybody may read',
  examine: ({ dataDir, settings, envFile }) => {
    const folder = nearest(dataDir);
    const { uid: owner } = statSync(folder);
    const exists = folder === dataDir;
    const user = process.getuid?.() ?? ROOT;
    const secrets = [envFile, settings.tlsKey].filter((file): file is string => file !== undefined && existsSync(file));
    return rightsFindings({
      dataDir,
      owner,
      exists,
      foreign: exists ? foreignFile(dataDir, owner) : undefined,
      user,
      hasName: hasName(),
      needsName: settings.databaseUrl === undefined && process.platform === 'linux',
      readable: secrets.filter((file) => (statSync(file).mode & OTHERS_MAY_READ) !== 0),
    });
  },
};

/** Folders of the way down to it that exist: `DATA_DIR` is made by the first start. */
export function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path));
}

function foreignFile(folder: string, owner: number): string | undefined {
  try {
    return readdirSync(folder).find(
      (name) =>
        name !== 'lost+found' && (statSync(join(folder, name), { throwIfNoEntry: false })?.uid ?? owner) !== owner,
    );
  } catch {
    // Of another user: said by the owner of the folder.
    return undefined;
  }
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}
