import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../../../..');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ringdown-bundling-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

function run(...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? stdout : stderr;
}

describe('files of a bundle', () => {
  /** As the bundler writes these files. */
  function replaceBundle(...names: readonly string[]): string[] {
    const module = pathToFileURL(join(ROOT, 'scripts/bundle/written-files.mjs')).href;
    const files = JSON.stringify(names.map((name) => ({ name, content: name })));
    const program = `import { replaceBundle } from '${module}'; replaceBundle('.', ${files});`;
    expect(run('--input-type=module', '--eval', program)).toBe('');
    return ['chunks', 'collector'].flatMap((name) => readdirSync(join(folder, name))).toSorted();
  }

  function twoHoursLater(): void {
    const before = new Date(Date.now() - 2 * 3_600_000);
    for (const name of ['chunks', 'collector']) {
      for (const file of readdirSync(join(folder, name))) utimesSync(join(folder, name, file), before, before);
    }
  }

  it('are kept for an hour after they were replaced, however old they are', () => {
    replaceBundle('chunks/old.js', 'collector/main.js');
    twoHoursLater();
    expect(replaceBundle('chunks/new.js', 'collector/main.js')).toEqual(['main.js', 'new.js', 'old.js']);
    expect(replaceBundle('chunks/newer.js', 'collector/main.js')).toEqual(['main.js', 'new.js', 'newer.js', 'old.js']);
    twoHoursLater();
    expect(replaceBundle('chunks/newer.js', 'collector/main.js')).toEqual(['main.js', 'newer.js']);
  });

  it('are removed at once where they are programs that are gone, and later where a killed build has left them', () => {
    replaceBundle('chunks/a.js', 'collector/main.js', 'collector/gone.js', 'collector/gone.js.map');
    write('chunks/b.js.1234', 'half');
    expect(replaceBundle('chunks/a.js', 'collector/main.js')).toEqual(['a.js', 'b.js.1234', 'main.js']);
    twoHoursLater();
    expect(replaceBundle('chunks/a.js', 'collector/main.js')).toEqual(['a.js', 'main.js']);
  });
});

describe('commands', () => {
  const STOP = 'ringdown/stop.js';

  function compile(path: string, code: string): void {
    write(`${path.replace('/dist/', '/')}.ts`, code);
    write(`${path}.js`, code);
    write(`${path}.js.map`, JSON.stringify({ version: 3, sources: [], names: [], mappings: '' }));
  }

  /** A root with the scripts and the packages, and of the product only `npm stop`. */
  beforeEach(() => {
    cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    write('package.json', '{ "type": "module" }');
    write('package-lock.json', '{}');
    compile('libs/errors/dist/src/source-positions', 'export function nameSourcesInStacks() {}');
    compile('apps/ringdown/dist/src/stop-main', 'console.log("compiled");');
  });

  function ensureBundled(): void {
    const program = "import { ensureBundled } from './scripts/bundle/ensure-bundled.mjs'; ensureBundled();";
    expect(run('--input-type=module', '--eval', program)).toBe('');
  }

  it('run what is compiled until it has been bundled, as a system was started by a version without bundles', () => {
    expect(run('scripts/system/stop.mjs')).toBe('compiled\n');
    write(`dist/${STOP}`, 'console.log("bundled");');
    expect(run('scripts/system/stop.mjs')).toBe('bundled\n');
    expect(run('scripts/system/status.mjs')).toBe('ringdown: nothing is built yet; run "npm start" first\n');
  });

  it('bundle again when a program is missing', () => {
    ensureBundled();
    rmSync(join(folder, 'dist', STOP));
    ensureBundled();
    expect(run(join('dist', STOP))).toBe('compiled\n');
  });

  it('do not bundle what was compiled of a source that is gone', () => {
    compile('apps/removed/dist/src/main', 'import "./gone.js";');
    rmSync(join(folder, 'apps/removed/src/main.ts'));
    ensureBundled();
    expect(existsSync(join(folder, 'dist/removed'))).toBe(false);
  });
});
