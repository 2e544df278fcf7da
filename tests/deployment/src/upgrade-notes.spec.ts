import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');
const notes = readFileSync(join(root, 'docs/guides/upgrade-notes.md'), 'utf8');
const migrations = readdirSync(join(root, 'apps/aggregator/migrations')).map((name) => Number(name.slice(0, 4)));

/** The numbers of `0001-0007` and of `0026, 0027`. */
function numbersIn(cell: string): number[] {
  const [from = '', to] = cell.split('-');
  if (to === undefined) return cell.split(',').map(Number);
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index);
}

describe('the upgrade notes', () => {
  it('tell of each migration of the database once, in order, and of no other', () => {
    const cells = [...notes.matchAll(/^\| (\d{4}[\d, -]*?) *\|/gm)].map(([, cell = '']) => cell);
    expect(migrations.length).toBeGreaterThan(20);
    expect(cells.flatMap(numbersIn)).toEqual(migrations.toSorted((a, b) => a - b));
  });

  it('have a section for each version of the changelog', () => {
    const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    const versions = [...changelog.matchAll(/^## \[([^\]]+)\]/gm)].map(([, version = '']) => version);
    expect(versions.length).toBeGreaterThan(0);
    expect(versions.filter((version) => !notes.includes(`\n## ${version}`))).toEqual([]);
  });
});
