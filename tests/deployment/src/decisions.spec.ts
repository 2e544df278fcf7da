import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../../docs/adr');

interface Row {
  readonly number: string;
  readonly file: string;
  readonly status: string;
}

describe('docs/adr/README.md', () => {
  const files = readdirSync(FOLDER).filter((file) => /^\d{4}-.*\.md$/.test(file));
  const rows = readFileSync(join(FOLDER, 'README.md'), 'utf8')
    .split('\n')
    .flatMap((line): Row[] => {
      const [, number, file, status] = /^\| \[(\d{4})\]\(([^)]+)\) *\|[^|]+\|([^|]+)\|$/.exec(line) ?? [];
      return number === undefined || file === undefined || status === undefined
        ? []
        : [{ number, file, status: status.trim() }];
    });

  it('lists every decision once, in the order of their numbers, which are unique', () => {
    expect(rows.map(({ file }) => file)).toEqual(files.sort());
    expect(rows.map(({ number }) => number)).toEqual(files.map((file) => file.slice(0, 4)));
    expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
  });

  it.each(rows)('gives $number a status, which a superseded one has at its top', ({ number, file, status }) => {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    expect(text.startsWith(`# ${number}: `)).toBe(true);
    const [, line = 'accepted'] = /\n\nStatus: ([^\n]*)/.exec(text) ?? [];
    // The status is the first sentence; what has changed may follow.
    expect(line.split('. ', 1)[0]?.replace(/\.$/, '')).toBe(status);
    for (const [, successor] of status.matchAll(/\((\S+\.md)\)/g)) expect(files).toContain(successor);
    expect(status).toMatch(/^(?:accepted|(?:in part )?superseded by \[\d{4}\]\(.*\))$/);
  });
});
