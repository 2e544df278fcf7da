import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DEB } from './given.js';

/** Of a release after this one. */
export const NEXT_VERSION = '99.0.0';
const MIGRATIONS = 'apps/aggregator/migrations';
/** What programs read the version from. */
const MANIFESTS = ['package.json', 'libs/service/package.json'];

/** Makes of the folder of a program the one of a release that changes the form of the data: of another version, with a migration more. */
export function becomeNextVersion(program: string): void {
  for (const file of MANIFESTS) replaceVersion(join(program, file));
  const number = String(readdirSync(join(program, MIGRATIONS)).length + 1).padStart(4, '0');
  const sql = "alter table calls add column of_next_version text not null default 'rewritten';\n";
  writeFileSync(join(program, MIGRATIONS, `${number}-of-the-next-version.sql`), sql);
}

/** Makes a package of Debian of it. Returns its file, in a folder of its own. */
export function makeNextVersion(): string {
  const folder = mkdtempSync(join(dirname(DEB), 'next-version-'));
  const tree = join(folder, 'tree');
  execFileSync('dpkg-deb', ['--raw-extract', DEB, tree]);
  becomeNextVersion(join(tree, 'usr/lib/ringdown'));
  replaceVersion(join(tree, 'DEBIAN/control'));
  // They are those of the version before, and dpkg does without.
  rmSync(join(tree, 'DEBIAN/md5sums'));
  const file = join(folder, 'next.deb');
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, file], { stdio: 'pipe' });
  rmSync(tree, { recursive: true });
  return file;
}

function replaceVersion(file: string): void {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(/^( *"version": "|Version: )[^"\n]+/m, `$1${NEXT_VERSION}`);
  if (after === before) throw new Error(`${file} has no version`);
  writeFileSync(file, after);
}
