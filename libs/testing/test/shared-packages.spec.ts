import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../../../..');
const RUNTIME = join(ROOT, 'scripts/test/jest');

const PACKAGE = 'counted';

/** A package, a source of a workspace and another module that note when they are loaded; the package has state. */
const FILES = {
  'package.json': '{ "type": "module" }',
  'node_modules/counted/package.json': '{ "name": "counted", "type": "module", "main": "counted.js" }',
  'node_modules/counted/counted.js': `
    import { appendFileSync } from 'node:fs';
    appendFileSync('loaded', 'counted ');
    globalThis.ofPackage = true;
    export const users = [];
    export const listOf = (value) => [value];
    export class Failure extends Error {}
    export const fail = () => { throw new Failure('failed'); };`,
  'libs/one/dist/src/source.js': `
    import { appendFileSync } from 'node:fs';
    appendFileSync('loaded', 'source ');
    export class Source { name() { return 'source'; } }`,
  'own.js': `
    import { appendFileSync } from 'node:fs';
    import { users } from '${PACKAGE}';
    export { Source } from './libs/one/dist/src/source.js';
    appendFileSync('loaded', 'own ');
    users.push(import.meta.url);
    export const state = { uses: 0 };
    export const lazily = async () => (await import('./lazy.js')).loads;`,
  'lazy.js': `export { users as loads } from '${PACKAGE}';`,
};

/** Checks that the worker is as it was at first, and then changes all of it. */
const SPEC = `
  import { Failure, fail, listOf, users } from '${PACKAGE}';
  import { jest } from '@jest/globals';
  import { setFlagsFromString } from 'node:v8';
  import { lazily, Source, state } from './own.js';

  it('finds nothing of another file', () => {
    expect([globalThis.left, globalThis.ofPackage, typeof globalThis.fetch]).toEqual([undefined, true, 'function']);
    expect([process.env.LEFT, process.env.HOME]).toEqual([undefined, ${JSON.stringify(process.env['HOME'])}]);
    expect([process.exitCode, process.listenerCount('SIGUSR2')]).toEqual([undefined, 0]);
    expect(process.listenerCount('warning')).toBeGreaterThan(0);
    expect(process.cwd()).toBe(import.meta.dirname);
    expect([Date.now() > 1_000_000, Math.random() < 1]).toEqual([true, true]);
    expect(state.uses++).toBe(0);
    expect(new Source().name()).toBe('source');
  });

  it('has one kind of Array and Error with packages', async () => {
    expect(listOf(state)).toStrictEqual([state]);
    expect(fail).toThrow(Failure);
    expect(new Failure('')).toBeInstanceOf(Error);
    expect(await lazily()).toBe(users);
    expect(() => jest.unstable_mockModule('${PACKAGE}', () => ({}))).toThrow('cannot be mocked');
  });

  it('leaves much behind', () => {
    globalThis.left = state;
    process.removeAllListeners('warning');
    globalThis.fetch = undefined;
    process.env.LEFT = 'left';
    delete process.env.HOME;
    process.exitCode = 3;
    setFlagsFromString('--expose-gc');
    process.on('SIGUSR2', () => undefined);
    process.chdir('/');
    jest.useFakeTimers({ now: 1_000 });
    jest.spyOn(Math, 'random').mockReturnValue(2);
    jest.spyOn(Source.prototype, 'name').mockReturnValue('changed');
  });`;

describe('test files of one worker', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ringdown-worker-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('share packages and sources, and nothing that one of them has changed', async () => {
    for (const [name, text] of Object.entries({ ...FILES, 'one.spec.js': SPEC, 'two.spec.js': SPEC })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const config = {
      rootDir: folder,
      transform: {},
      testEnvironment: join(RUNTIME, 'environment.mjs'),
      runtime: join(RUNTIME, 'runtime.mjs'),
    };
    const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
    const args = ['--experimental-vm-modules', jest, '--runInBand', '--config', JSON.stringify(config)];
    const times = join(folder, 'times');
    const env = { ...process.env, RINGDOWN_TEST_PROCESSOR_TIME: times };
    const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
    expect(stderr).toContain('Tests:       6 passed, 6 total');
    const loaded = readFileSync(join(folder, 'loaded'), 'utf8').trim().split(' ');
    expect(loaded.toSorted()).toEqual(['counted', 'own', 'own', 'source']);
    const noted = readFileSync(times, 'utf8').trim().split('\n');
    const ofFile = (name: string): unknown => ({ file: join(folder, name), seconds: expect.any(Number) });
    expect(noted.map((line): unknown => JSON.parse(line))).toEqual(
      expect.arrayContaining([ofFile('one.spec.js'), ofFile('two.spec.js')]),
    );
  });
});
