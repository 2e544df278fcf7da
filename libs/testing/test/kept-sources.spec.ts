import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
const SCRIPTS = join(ROOT, 'scripts/test/jest');

/** What a module of scripts, which have no types, prints as JSON. */
function printed(code: string): unknown {
  const imports = `import { readFileSync } from 'node:fs';
    import { KEPT, RESET } from '${SCRIPTS}/kept-sources.mjs';
    import { moduleState } from '${SCRIPTS}/module-state.mjs';`;
  const options = { cwd: ROOT, encoding: 'utf8', input: `${imports}\n${code}`, maxBuffer: 10_000_000 } as const;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-'], options));
}

function statesOf(texts: readonly string[]): unknown {
  return printed(`console.log(JSON.stringify(${JSON.stringify(texts)}.map(moduleState)))`);
}

describe('the state of a module', () => {
  it('is what its functions change, and instances', () => {
    const states = statesOf([
      'let a = 1; export const next = () => a++;',
      'let a; function set(value) { [a, b] = [value]; a = value; }',
      'const a = new Map(); export const keep = (key) => a.set(key, 1);',
      'const a = { list: [] }; export function add() { a.list.push(1); }',
      'export const a = {}; export class Writer { write() { delete a.b; } }',
      'class a { static made = 0; constructor() { a.made += 1; } }',
      'const a = new Counter();',
    ]);
    expect(states).toEqual(Array.from({ length: 7 }, () => ({ own: ['a'], imported: [] })));
  });

  it('is not what only its loading changes, what goes with an object, or a name of a function', () => {
    const states = statesOf([
      'let A = class A {}; A = decorated(A); export { A };',
      'const a = new Map([[1, 2]]); a.set(2, 3); export const get = (key) => a.get(key);',
      'const a = []; export const copy = (a) => a.push(1);',
      'const a = []; export function other() { const { a = 1, ...b } = make(); a.push(1); b.c = 1; }',
      'const a = new WeakMap(); export const keep = (object) => a.set(object, 1);',
      'const a = /a/y; export function read(from) { a.lastIndex = from; return a.test("a"); }',
    ]);
    expect(states).toEqual(Array.from({ length: 6 }, () => ({ own: [], imported: [] })));
  });

  it('is also what it changes of another module', () => {
    expect(statesOf(["import { a } from './a.js'; a.b = 1;"])).toEqual([{ own: [], imported: ['a'] }]);
  });
});

interface Found {
  /** Variables with state by source. */
  readonly found: Readonly<Record<string, readonly string[]>>;
  readonly listed: Readonly<Record<string, readonly string[]>>;
  /** Files that change what they import. */
  readonly changing: readonly string[];
}

function isFound(value: unknown): value is Found {
  return typeof value === 'object' && value !== null && 'found' in value && 'changing' in value;
}

describe('the sources of workspaces, which test files of one worker share', () => {
  const files = globSync('{apps,libs,tests}/*/dist/{src,test}/**/*.js', { cwd: ROOT }).toSorted();
  const found = printed(
    `const states = ${JSON.stringify(files)}.map((file) => ({ file, ...moduleState(readFileSync(file, 'utf8')) }));
     const sources = states.filter(({ file }) => file.includes('/dist/src/') && !file.endsWith('.spec.js'));
     const rows = sources.map(({ file, own }) => [file.replace('/dist/', '/').replace(/js$/, 'ts'), own]);
     console.log(JSON.stringify({
       found: Object.fromEntries(rows.filter(([file, own]) => own.length > 0 && !RESET.includes(file))),
       listed: Object.fromEntries(Object.entries(KEPT).map(([file, state]) => [file, Object.keys(state).toSorted()])),
       changing: states.filter(({ imported }) => imported.length > 0).map(({ file }) => file),
     }))`,
  );
  if (!isFound(found)) throw new Error('nothing was found');

  // A new one: let the module have no state, or say in scripts/test/jest/kept-sources.mjs why it may stay or how it is set back.
  it('keep nothing from one file to the next but what is listed with its reason', () => {
    expect(files.length).toBeGreaterThan(2_000);
    expect(found.found).toEqual(found.listed);
  });

  it('are changed by no file that imports them', () => {
    expect(found.changing).toEqual([]);
  });
});
