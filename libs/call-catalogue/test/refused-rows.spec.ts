import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LIB = fileURLToPath(new URL('../../', import.meta.url));
const COMPILER = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url));

/** Files with a row each: all are compiled at once, when what the compiler says of one is asked for. */
const sources: string[] = [];
let said: ReadonlyMap<string, string> | undefined;

/** Reads what the compiler says of the row of a metric, or nothing. */
function metric(row: string): () => string {
  return compiled(`import { SHARE, type MetricTable } from '../../src/metrics/metric-row.js';
export const ROWS = { Rumble: ${row} } as const satisfies MetricTable;`);
}

function filter(row: string): () => string {
  return compiled(`import type { FilterTable } from '../../src/fields/filter-row.js';
export const ROWS = { mood: ${row} } as const satisfies FilterTable;`);
}

function field(row: string): () => string {
  return compiled(`import type { FieldRow } from '../../src/fields/field-row.js';
export const ROWS = [${row}] as const satisfies readonly FieldRow[];`);
}

function compiled(source: string): () => string {
  const file = `row-${sources.push(source)}.ts`;
  return () => (said ??= compileAll()).get(file) ?? '';
}

/** Messages by file. */
function compileAll(): ReadonlyMap<string, string> {
  // Within the lib, so that the compiler finds the rows and the settings of every source.
  const folder = mkdtempSync(join(LIB, 'dist', 'refused-'));
  try {
    const files = sources.map((_source, index) => `row-${index + 1}.ts`);
    for (const [index, source] of sources.entries()) writeFileSync(join(folder, `row-${index + 1}.ts`), source);
    const compilerOptions = { composite: false, noEmit: true, rootDir: '../..' };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, files, include: [] }),
    );
    const { stdout } = spawnSync(process.execPath, [COMPILER, '-p', folder], { encoding: 'utf8' });
    // A message begins with its file; further lines of it with blanks.
    return new Map(
      Map.groupBy(stdout.split(/\n(?=\S)/), (message) => basename(message.split('(', 1)[0] ?? ''))
        .entries()
        .map(([file, messages]) => [file, messages.join('\n')]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('a row of a metric', () => {
  const whole = metric(`{ ...SHARE, better: 'lower', hiding: 'product', brief: 'rumble' }`);
  it('is accepted with everything that must not be forgotten', () => {
    expect(whole()).toBe('');
  });

  it.each([
    ['hiding', metric(`{ ...SHARE, better: 'lower', brief: 'rumble' }`)],
    ['unit', metric(`{ possible: null, better: 'lower', hiding: 'product', brief: 'rumble' }`)],
    ['possible', metric(`{ unit: 'ratio', better: 'lower', hiding: 'product', brief: 'rumble' }`)],
    ['better', metric(`{ ...SHARE, hiding: 'product', brief: 'rumble' }`)],
    ['brief', metric(`{ ...SHARE, better: 'lower', hiding: 'product' }`)],
  ])('is refused by the compiler without "%s"', (property, messages) => {
    expect(messages()).toContain(`Property '${property}' is missing`);
  });
});

describe('a row of a field of records', () => {
  const whole = field(`{ element: 'Mood', field: 'mood', conversion: 'text', hiding: 'text', brief: 'its mood' }`);
  it('is accepted with everything that must not be forgotten', () => {
    expect(whole()).toBe('');
  });

  it.each([
    ['hiding', field(`{ element: 'Mood', field: 'mood', conversion: 'text', brief: 'its mood' }`)],
    ['conversion', field(`{ element: 'Mood', field: 'mood', hiding: 'text', brief: 'its mood' }`)],
    ['brief', field(`{ element: 'Mood', field: 'mood', conversion: 'text', hiding: 'text' }`)],
  ])('is refused by the compiler without "%s"', (property, messages) => {
    expect(messages()).toContain(`Property '${property}' is missing`);
  });
});

describe('a row of a filter', () => {
  const whole = filter(`{ kind: 'mood', values: 'numbers', hiding: 'own', group: 'call', brief: 'in this mood' }`);
  it('is accepted with everything that must not be forgotten', () => {
    expect(whole()).toBe('');
  });

  it.each([
    ['hiding', filter(`{ kind: 'mood', values: 'numbers', group: 'call', brief: 'in this mood' }`)],
    ['values', filter(`{ kind: 'mood', hiding: 'own', group: 'call', brief: 'in this mood' }`)],
    ['brief', filter(`{ kind: 'mood', values: 'numbers', hiding: 'own', group: 'call' }`)],
  ])('is refused by the compiler without "%s"', (property, messages) => {
    expect(messages()).toContain(`Property '${property}' is missing`);
  });

  const shown = filter(
    `{ kind: 'mood', values: { what: 'moods', longest: 9 }, hiding: 'own', group: 'call', brief: 'in this mood' }`,
  );
  it('is refused by the compiler if it shows texts of senders to everyone', () => {
    expect(shown()).toContain(`'what' does not exist in type 'readonly string[]'`);
  });

  /** The row of a filter that needs no more than this. */
  const rowOf = (more: string): string =>
    `{ kind: 'mood', values: 'numbers', hiding: 'own', group: 'call', brief: 'in this mood', ${more} }`;

  it.each([
    ['party', `['mood']`, filter(rowOf(`column: 99, party: ['mood']`))],
    ['party', `['os', 'MACAddr']`, filter(rowOf(`column: 99, party: ['os', 'MACAddr']`))],
    ['detail', `'cseqs'`, filter(rowOf(`column: 99, detail: 'cseqs'`))],
  ])('is refused by the compiler if no record has its %s %s', (_source, _names, messages) => {
    expect(messages()).toContain('is not assignable to type');
  });

  // The place of its column would be that of another, and scripts read the CSV by position.
  it.each(
    [`party: ['os']`, `detail: 'mediaBypass'`].map(
      (source) => [source, filter(rowOf(`${source}, column: 99`)), filter(rowOf(source))] as const,
    ),
  )('is refused by the compiler without a column, with %s', (_source, withColumn, without) => {
    expect(withColumn()).toBe('');
    expect(without()).toContain(`Property 'column' is missing`);
  });
});
