import { lchownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

interface MissingLink {
  readonly source: string;
  readonly target: string;
}

/** Where the system's loader looks for libraries first: ld.so(8), dyld(1). */
const LOADER_VARIABLE = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
/** What its value cannot have in a path: it has no quotes. */
const SEPARATORS = /[:;]/;

/**
 * Fills a folder with links to the libraries of the package, also by the names that npm cannot pack because they are
 * symbolic links. The install script of the package would create those inside of it; none runs here, and packages stay
 * as they are in the lock file. Returns the variables with which programs of the package find their libraries.
 */
export function linkLibraries(native: string, folder: string): Readonly<Record<string, string>> {
  if (process.platform === 'win32') return {};
  if (SEPARATORS.test(folder))
    throw new Error(
      `the folder of the database ${dirname(folder)} has a colon or a semicolon in its path: PostgreSQL would not find its libraries in it`,
    );
  const lib = join(native, 'lib');
  const names = new Map(readdirSync(lib).map((name) => [name, join(lib, name)]));
  for (const { source, target } of missingLinks(native)) names.set(basename(target), join(lib, basename(source)));
  // The checkout may have moved since the last start.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  giveToOwnerOf(dirname(folder), folder);
  for (const [name, file] of names) if (/\.(?:so|dylib)\b/.test(name)) symlinkSync(file, join(folder, name));
  return { [LOADER_VARIABLE]: [folder, process.env[LOADER_VARIABLE] ?? ''].filter((path) => path !== '').join(':') };
}

/** Root may start what another user starts at other times, who must be able to replace the folder. */
function giveToOwnerOf(parent: string, folder: string): void {
  const { uid, gid } = statSync(parent);
  if (process.getuid?.() === 0) lchownSync(folder, uid, gid);
}

function missingLinks(native: string): readonly MissingLink[] {
  const links: readonly MissingLink[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  return links;
}
