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

/** What the compiler says when the generated catalogue has this as well, each `added` beside its first line with `after`. */
function compiledWith(...more: readonly (readonly [after: string, added: string])[]): string {
  const file = join('src', 'api', 'catalogue.ts');
  let catalogue = readFileSync(join(CONSOLE, file), 'utf8');
  for (const [after, added] of more) {
    expect(catalogue).toContain(after);
    catalogue = catalogue.replace(after, `${after}${added}`);
  }
  writeFileSync(join(folder, file), catalogue);
  return spawnSync(process.execPath, [COMPILER, '-p', folder], { encoding: 'utf8' }).stdout;
}

/** Each with a name and a message of its own, so that all are compiled at once. */
const WITHOUT_TEXTS = [
  ['a metric', 'export const METRIC_UNITS = {\n', `  Rumble: 'ratio',\n`, `Property 'Rumble' is missing`],
  [
    'a filter',
    'export const FILTERS = {\n',
    `  mood: { group: 'call', several: 'repeated' },\n`,
    `Property 'mood' is missing`,
  ],
  ['a value of a filter', `values: ['both', `, `'most', `, `Type '"most"' is not assignable`],
  ['a group of filters', 'export const FILTER_GROUPS = [', `'weather', `, `Property 'weather' does not exist`],
  [
    'a range',
    'export const RANGES = {\n',
    `  tremor: { min: 'minTremor', max: 'maxTremor', reads: 'share' },\n`,
    `Property 'tremor' is missing`,
  ],
  ['a dimension', 'export const DIMENSIONS = [\n', `  'season',\n`, `Type '"season"' is not assignable`],
  ['a dimension of alerts', 'export const ALERT_DIMENSIONS = [\n', `  'tide',\n`, `Type '"tide"' is not assignable`],
] as const;

describe('the console', () => {
  let said: string | undefined;

  it('compiles while each row of the catalogue has its texts', () => {
    expect(compiledWith()).toBe('');
  });

  it.each(WITHOUT_TEXTS)('does not compile while %s has none', (_what, _after, _added, message) => {
    said ??= compiledWith(...WITHOUT_TEXTS.map(([, after, added]) => [after, added] as const));
    expect(said).toContain(message);
  });
});
