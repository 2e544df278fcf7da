import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LIB = fileURLToPath(new URL('../../', import.meta.url));
const COMPILER = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url));

/** Within the lib, so that the compiler finds the rows and the settings of every source. */
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(LIB, 'dist', 'refused-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the compiler says of the row of a metric, or nothing. */
function compiledMetric(row: string): string {
  return compiled(`import { SHARE, type MetricTable } from '../../src/metrics/metric-row.js';
export const ROWS = { Rumble: ${row} } as const satisfies MetricTable;`);
}

function compiledFilter(row: string): string {
  return compiled(`import type { FilterTable } from '../../src/fields/filter-row.js';
export const ROWS = { mood: ${row} } as const satisfies FilterTable;`);
}

function compiledField(row: string): string {
  return compiled(`import type { FieldRow } from '../../src/fields/field-row.js';
export const ROWS = [${row}] as const satisfies readonly FieldRow[];`);
}

function compiled(source: string): string {
  writeFileSync(join(folder, 'row.ts'), source);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: { composite: false, noEmit: true, rootDir: '../..' },
      files: ['row.ts'],
      include: [],
    }),
  );
  return spawnSync(process.execPath, [COMPILER, '-p', folder], { encoding: 'utf8' }).stdout;
}

describe('a row of a metric', () => {
  it('is accepted with everything that must not be forgotten', () => {
    expect(compiledMetric(`{ ...SHARE, better: 'lower', hiding: 'product', brief: 'rumble' }`)).toBe('');
  });

  it.each([
    ['hiding', `{ ...SHARE, better: 'lower', brief: 'rumble' }`],
    ['unit', `{ possible: null, better: 'lower', hiding: 'product', brief: 'rumble' }`],
    ['possible', `{ unit: 'ratio', better: 'lower', hiding: 'product', brief: 'rumble' }`],
    ['better', `{ ...SHARE, hiding: 'product', brief: 'rumble' }`],
    ['brief', `{ ...SHARE, better: 'lower', hiding: 'product' }`],
  ])('is refused by the compiler without "%s"', (property, row) => {
    expect(compiledMetric(row)).toContain(`Property '${property}' is missing`);
  });
});

describe('a row of a field of records', () => {
  it('is accepted with everything that must not be forgotten', () => {
    expect(
      compiledField(`{ element: 'Mood', field: 'mood', conversion: 'text', hiding: 'text', brief: 'its mood' }`),
    ).toBe('');
  });

  it.each([
    ['hiding', `{ element: 'Mood', field: 'mood', conversion: 'text', brief: 'its mood' }`],
    ['conversion', `{ element: 'Mood', field: 'mood', hiding: 'text', brief: 'its mood' }`],
    ['brief', `{ element: 'Mood', field: 'mood', conversion: 'text', hiding: 'text' }`],
  ])('is refused by the compiler without "%s"', (property, row) => {
    expect(compiledField(row)).toContain(`Property '${property}' is missing`);
  });
});

describe('a row of a filter', () => {
  it('is accepted with everything that must not be forgotten', () => {
    expect(
      compiledFilter(`{ kind: 'mood', values: 'numbers', hiding: 'own', group: 'call', brief: 'in this mood' }`),
    ).toBe('');
  });

  it.each([
    ['hiding', `{ kind: 'mood', values: 'numbers', group: 'call', brief: 'in this mood' }`],
    ['values', `{ kind: 'mood', hiding: 'own', group: 'call', brief: 'in this mood' }`],
    ['brief', `{ kind: 'mood', values: 'numbers', hiding: 'own', group: 'call' }`],
  ])('is refused by the compiler without "%s"', (property, row) => {
    expect(compiledFilter(row)).toContain(`Property '${property}' is missing`);
  });

  it('is refused by the compiler if it shows texts of senders to everyone', () => {
    const row = `{ kind: 'mood', values: { what: 'moods', longest: 9 }, hiding: 'own', group: 'call', brief: 'in this mood' }`;
    expect(compiledFilter(row)).toContain(`'what' does not exist in type 'readonly string[]'`);
  });

  it.each([
    ['party', `['mood']`],
    ['party', `['os', 'MACAddr']`],
    ['detail', `'cseqs'`],
  ])('is refused by the compiler if no record has its %s %s', (source, names) => {
    const row = `{ kind: 'mood', values: 'numbers', hiding: 'own', group: 'call', brief: 'in this mood', column: 99, ${source}: ${names} }`;
    expect(compiledFilter(row)).toContain('is not assignable to type');
  });

  // The place of its column would be that of another, and scripts read the CSV by position.
  it.each([`party: ['os']`, `detail: 'mediaBypass'`])(
    'is refused by the compiler without a column, with %s',
    (source) => {
      const row = (more: string): string =>
        `{ kind: 'mood', values: 'numbers', hiding: 'own', group: 'call', brief: 'in this mood', ${source}${more} }`;
      expect(compiledFilter(row(', column: 99'))).toBe('');
      expect(compiledFilter(row(''))).toContain(`Property 'column' is missing`);
    },
  );
});
