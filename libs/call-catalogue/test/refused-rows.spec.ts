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

/** What the compiler says of a row, or nothing. */
function compiled(row: string): string {
  const source = `import { SHARE, type MetricTable } from '../../src/metrics/metric-row.js';
export const ROWS = { Rumble: ${row} } as const satisfies MetricTable;`;
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
    expect(compiled(`{ ...SHARE, better: 'lower', hiding: 'product', brief: 'rumble' }`)).toBe('');
  });

  it.each([
    ['hiding', `{ ...SHARE, better: 'lower', brief: 'rumble' }`],
    ['unit', `{ possible: null, better: 'lower', hiding: 'product', brief: 'rumble' }`],
    ['possible', `{ unit: 'ratio', better: 'lower', hiding: 'product', brief: 'rumble' }`],
    ['better', `{ ...SHARE, hiding: 'product', brief: 'rumble' }`],
    ['brief', `{ ...SHARE, better: 'lower', hiding: 'product' }`],
  ])('is refused by the compiler without "%s"', (property, row) => {
    expect(compiled(row)).toContain(`Property '${property}' is missing`);
  });
});
