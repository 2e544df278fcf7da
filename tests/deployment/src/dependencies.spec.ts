import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const OXLINT = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
/** All existing folders: a new app or lib without a rule is found here. */
const WORKSPACES = globSync('{apps,libs,tests}/*/package.json', { cwd: ROOT }).map((file) => dirname(file));
const APPS = WORKSPACES.filter((folder) => folder.startsWith('apps/')).map((folder) => basename(folder));
const OTHERS = WORKSPACES.filter((folder) => !folder.startsWith('apps/'));

describe('the direction of imports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-imports-'));
  beforeAll(() => cpSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json')));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The messages of the project's linter for a file that imports these packages. */
  function refusals(file: string, packages: readonly string[]): readonly string[] {
    const path = join(folder, file);
    mkdirSync(join(path, '..'), { recursive: true });
    const imported = packages.map((name, index) => `import { x as x${index} } from '${name}';\n`).join('');
    writeFileSync(path, `${imported}export const all = [${packages.map((_, index) => `x${index}`).join(', ')}];\n`);
    const { stdout } = spawnSync(process.execPath, [OXLINT, '--format', 'unix', file], {
      cwd: folder,
      encoding: 'utf8',
    });
    const lines = stdout.split('\n').filter((line) => line.includes('no-restricted-imports'));
    return packages.filter((_, index) => lines.some((line) => line.startsWith(`${file}:${index + 1}:`)));
  }

  const packages = APPS.map((app) => `@ringdown/${app}`);

  it.each(APPS.filter((app) => app !== 'ringdown'))('rejects every app in apps/%s', (app) => {
    expect(refusals(`apps/${app}/src/some-file.ts`, packages)).toEqual(packages);
    expect(refusals(`apps/${app}/src/some-file.ts`, [`@ringdown/collector/test/file.js`])).toHaveLength(1);
  });

  const rooms = ['model', 'xml', 'convert'].map((folder) => `libs/xml-schemas/src/${folder}`);

  it.each([...OTHERS, ...rooms])('rejects every app in %s', (folder) => {
    expect(refusals(`${folder}/some-file.ts`, packages)).toEqual(packages);
  });

  it.each([
    ['model', ['../xml/element.js', '../convert/fit-record.js']],
    ['xml', ['../convert/fit-record.js']],
    ['convert', ['../xml/element.js']],
  ])('rejects in the folder %s of the record model the folders that it must not know', (folder, refused) => {
    const others = [...refused, '../model/record.js', './neighbour.js'];
    expect(refusals(`libs/xml-schemas/src/${folder}/some-file.ts`, others)).toEqual(refused);
  });

  it('rejects frameworks, and every lib above it, in libs/node-http', () => {
    const frameworks = [
      '@nestjs/common',
      '@nestjs/platform-fastify',
      '@fastify/static',
      'fastify',
      'rxjs',
      'class-validator',
    ];
    const above = ['@ringdown/web-server', '@ringdown/service/web', '@ringdown/nats', ...packages];
    const file = 'libs/node-http/src/some-file.ts';
    expect(refusals(file, frameworks)).toEqual(frameworks);
    expect(refusals(file, above)).toEqual(above);
    expect(refusals(file, ['@ringdown/observability', '@ringdown/settings', 'node:http'])).toEqual([]);
    expect(refusals('libs/web-server/src/some-file.ts', [...frameworks, '@ringdown/node-http'])).toEqual([]);
  });

  it('rejects collectors, settings and the bus in libs/call-capture', () => {
    const refused = ['@ringdown/feed-client', '@ringdown/settings', '@ringdown/nats', ...packages];
    const file = 'libs/call-capture/src/some-file.ts';
    expect(refusals(file, refused)).toEqual(refused);
    expect(refusals(file, ['@ringdown/capture', '@ringdown/xml-schemas'])).toEqual([]);
  });

  it('rejects packages that serve a web interface in libs/service', () => {
    const web = ['@nestjs/platform-fastify', '@fastify/static', 'fastify', 'class-validator', '@ringdown/web-server'];
    const refused = [...web, '@ringdown/web-service', ...packages];
    expect(refusals('libs/service/src/some-file.ts', refused)).toEqual(refused);
    expect(refusals('libs/service/src/some-file.ts', ['@nestjs/core', '@nestjs/microservices'])).toEqual([]);
    expect(refusals('libs/web-service/src/some-file.ts', [...web, '@ringdown/service'])).toEqual([]);
  });

  it('allows apps/ringdown to compose the apps, and every app to import a lib', () => {
    expect(refusals('apps/ringdown/src/some-file.ts', packages)).toEqual([]);
    expect(refusals('apps/collector/src/some-file.ts', ['@ringdown/nats', '@ringdown/service'])).toEqual([]);
  });

  it('rejects in libs/nats every lib that knows the messages', () => {
    const wanted = [
      ...packages,
      '@ringdown/contracts',
      '@ringdown/contracts/records',
      '@ringdown/feed-bus',
      '@ringdown/meetings',
      '@ringdown/service',
    ];
    expect(refusals('libs/nats/src/some-file.ts', wanted)).toEqual(wanted);
    expect(refusals('libs/nats/src/some-file.ts', ['@nats-io/kv', '@ringdown/observability'])).toEqual([]);
  });

  it('rejects a transport in libs/contracts', () => {
    const transports = ['@nats-io/jetstream', '@nestjs/microservices', '@ringdown/nats', '@ringdown/feed-bus'];
    const wanted = [...packages, ...transports];
    expect(refusals('libs/contracts/src/some-file.ts', wanted)).toEqual(wanted);
    expect(refusals('libs/contracts/src/some-file.ts', ['@ringdown/settings', '@ringdown/xml-schemas'])).toEqual([]);
  });
});
