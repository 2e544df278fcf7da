import { execFile } from 'node:child_process';
import { accessSync, chmodSync, constants, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { downloadEnvironment } from './child-environment.js';

const run = promisify(execFile);

/** The release of Debian whose programs are new enough; they run on Debian 12 as well. */
const SUITE = 'trixie';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** A program in a package of {@link SUITE}. */
export interface DebianProgram {
  readonly package: string;
  /** In the package, without the first slash. */
  readonly path: string;
  /** Arguments with which the program only reports its version. */
  readonly version: readonly string[];
  /** Other files of the package that are copied beside it. */
  readonly also?: readonly string[];
  /** Of another kind of machine, as Debian names it (`arm64`): the program is not tried. */
  readonly architecture?: string;
}

/**
 * Downloads a program from Debian 13 into a folder of the checkout. apt downloads it and checks its signature, with
 * its own list, state and cache: the system is not changed, and every user may do it. Throws an Error with the reason.
 */
export async function installDebianProgram(wanted: DebianProgram, folder: string, aptGet = 'apt-get'): Promise<void> {
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '');
  if (!/^ID=debian$/m.test(system)) throw new Error('this system is not Debian');
  accessSync(KEYRING, constants.R_OK);
  const { stdout: targets } = await run(aptGet, ['indextargets', '--format', TARGET_FORMAT, 'Created-By: Packages']);
  const sources = newerSources(targets, codename(system));
  if (sources.length === 0) throw new Error('the sources of apt contain no mirror of Debian');
  const work = mkdtempSync(join(tmpdir(), 'ringdown-apt-'));
  try {
    const unpacked = await download(wanted, { aptGet, sources, work });
    const program = join(unpacked, wanted.path);
    mkdirSync(folder, { recursive: true });
    for (const path of wanted.also ?? []) await copyFile(join(unpacked, path), join(folder, basename(path)));
    // Under another name first: other processes may look for it now, and a system with an old C library cannot run it.
    const candidate = join(folder, `${basename(wanted.path)}.${process.pid}`);
    await copyFile(program, candidate);
    chmodSync(candidate, 0o755);
    try {
      if (wanted.architecture === undefined) await run(candidate, [...wanted.version]);
      renameSync(candidate, join(folder, basename(wanted.path)));
    } finally {
      await rm(candidate, { force: true });
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const TARGET_FORMAT = '$(REPO_URI) $(RELEASE) $(COMPONENT)';

/**
 * Converts the list of sources that apt prints to sources of {@link SUITE}: the same mirrors, with Debian's signature.
 */
export function newerSources(targets: string, own: string): string[] {
  const lines = targets.split('\n').flatMap((line) => {
    const [uri, release, component] = line.split(' ');
    if (uri === undefined || uri.startsWith('cdrom:') || component !== 'main') return [];
    if (release !== own && release !== `${own}-updates` && release !== `${own}-security`) return [];
    return [`deb [signed-by=${KEYRING}] ${uri} ${SUITE}${release.slice(own.length)} main`];
  });
  return [...new Set(lines)];
}

function codename(osRelease: string): string {
  return /^VERSION_CODENAME=(\w+)$/m.exec(osRelease)?.[1] ?? '';
}

/** Resolves to the folder with the files of the package, below `work`. */
async function download(
  wanted: DebianProgram,
  { aptGet, sources, work }: { readonly aptGet: string; readonly sources: readonly string[]; readonly work: string },
): Promise<string> {
  // apt uses its own user for the network, which must be able to read this folder.
  chmodSync(work, 0o755);
  const list = join(work, 'sources.list');
  await writeFile(list, `${sources.join('\n')}\n`);
  for (const name of ['lists/partial', 'archives/partial', 'deb']) mkdirSync(join(work, name), { recursive: true });
  const options = [
    `Dir::Etc::sourcelist=${list}`,
    'Dir::Etc::sourceparts=/dev/null',
    'Dir::Etc::preferences=/dev/null',
    'Dir::Etc::preferencesparts=/dev/null',
    `Dir::State::lists=${join(work, 'lists')}`,
    // Another version that is installed does not count.
    'Dir::State::status=/dev/null',
    `Dir::Cache=${work}`,
    'Acquire::Languages=none',
    'Acquire::AllowInsecureRepositories=false',
    'APT::Get::AllowUnauthenticated=false',
    'APT::Update::Error-Mode=any',
    ...(wanted.architecture === undefined ? [] : [`APT::Architecture=${wanted.architecture}`]),
  ].flatMap((option) => ['-o', option]);
  const deb = join(work, 'deb');
  const apt = (command: readonly string[]): Promise<void> => runApt(aptGet, options, command, deb);
  // A mirror may lack one of the lists; the search for the package shows whether that matters.
  const updated = await apt(['update']).catch((error: unknown) => error);
  await apt(['download', wanted.package]).catch((error: unknown) => {
    throw updated ?? error;
  });
  const [file = ''] = readdirSync(deb);
  const unpacked = join(work, 'unpacked');
  await run('dpkg', ['-x', join(deb, file), unpacked], { env: downloadEnvironment(process.env) });
  for (const path of [wanted.path, ...(wanted.also ?? [])])
    if (!existsSync(join(unpacked, path))) throw new Error(`${file} does not contain ${path}`);
  return unpacked;
}

async function runApt(
  aptGet: string,
  options: readonly string[],
  command: readonly string[],
  cwd: string,
): Promise<void> {
  try {
    await run(aptGet, ['-q', ...options, ...command], { cwd, env: downloadEnvironment(process.env) });
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    const reason = output.split('\n').find((line) => /^[EW]: (?!Download is performed)/.test(line)) ?? output.trim();
    throw new Error(`apt-get ${command.join(' ')}: ${reason}`, { cause: error });
  }
}
