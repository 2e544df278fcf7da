import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CONSOLE = fileURLToPath(new URL('../../../', import.meta.url));
const COMPILER = fileURLToPath(new URL('../../../../../node_modules/typescript/bin/tsc', import.meta.url));
const READERS = [
  'src/search/fields.ts',
  'src/parts/metrics.ts',
  'src/quality/quality-query.ts',
  'src/alerts/rule-fields.tsx',
  'src/search/add-filter.tsx',
];

/** A copy of the sources, within the workspace, so that the compiler finds packages and settings. */
let folder: string;

beforeAll(() => {
  mkdirSync(join(CONSOLE, 'dist'), { recursive: true });
  folder = mkdtempSync(join(CONSOLE, 'dist', 'refused-'));
  cpSync(join(CONSOLE, 'src'), join(folder, 'src'), { recursive: true });
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: { composite: false, incremental: false, noEmit: true, rootDir: '.' },
      files: READERS,
      include: [],
      references: [],
    }),
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the compiler says when the generated catalogue has this beside its first line with `after`. */
function compiledWith(after: string, added: string): string {
  const file = join('src', 'api', 'catalogue.ts');
  const catalogue = readFileSync(join(CONSOLE, file), 'utf8');
  expect(catalogue).toContain(after);
  writeFileSync(join(folder, file), catalogue.replace(after, `${after}${added}`));
  return spawnSync(process.execPath, [COMPILER, '-p', folder], { encoding: 'utf8' }).stdout;
}

describe('the console', () => {
  it('compiles while each row of the catalogue has its texts', () => {
    expect(compiledWith('export const FILTERS = {\n', '')).toBe('');
  });

  it.each([
    ['a metric', 'export const METRIC_UNITS = {\n', `  Rumble: 'ratio',\n`, 'Rumble'],
    ['a filter', 'export const FILTERS = {\n', `  mood: { group: 'call', several: 'repeated' },\n`, 'mood'],
    ['a value of a filter', `values: ['both', `, `'most', `, 'most'],
    ['a group of filters', 'export const FILTER_GROUPS = [', `'weather', `, 'weather'],
    [
      'a range',
      'export const RANGES = {\n',
      `  rumble: { min: 'minRumble', max: 'maxRumble', reads: 'share' },\n`,
      'rumble',
    ],
    ['a dimension', 'export const DIMENSIONS = [\n', `  'mood',\n`, 'mood'],
    ['a dimension of alerts', 'export const ALERT_DIMENSIONS = [\n', `  'mood',\n`, 'mood'],
  ])('does not compile while %s has none', (_what, after, added, name) => {
    expect(compiledWith(after, added)).toContain(name);
  });
});
