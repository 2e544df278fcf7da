import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './scripts.js';

/** Files of the rows that name no program. */
function threads(): readonly string[] {
  const rows = readFileSync(join(ROOT, 'scripts/test/threads.mjs'), 'utf8').split('\n');
  return rows.flatMap((row) => {
    const file = /file: '([^']+)'/.exec(row)?.[1];
    return file === undefined || row.includes('program: ') ? [] : [file];
  });
}

/** A test and the files of its workspace that it imports, directly or not. */
function sourcesOf(spec: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(spec) || !existsSync(spec)) return seen;
  seen.add(spec);
  for (const [, imported] of readFileSync(spec, 'utf8').matchAll(/from '(\.[^']+)\.js'/g)) {
    sourcesOf(join(dirname(spec), `${imported}.ts`), seen);
  }
  return seen;
}

describe('the quick run', () => {
  it.each(threads())('needs no program of the system for %s, or names it', (file) => {
    const spec = join(ROOT, file.replace('/dist/', '/').replace(/\.js$/, '.ts'));
    expect(existsSync(spec)).toBe(true);
    const looking = [...sourcesOf(spec)].filter((source) =>
      readFileSync(source, 'utf8').includes("'@ringdown/testing/find-program'"),
    );
    expect(looking.map((source) => relative(ROOT, source))).toEqual([]);
  });
});
