import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/** Everything that is written by hand, beside tests and the history (CHANGELOG.md, decisions). */
const PLACES = [
  '{apps,libs}/*/src/**/*.{ts,tsx,css,json,sql}',
  'apps/*/migrations/**/*.sql',
  'scripts/**/*',
  'deploy/**/*',
  'docs/*.{md,yaml}',
  'docs/guides/**/*.md',
  'README.md',
];
const TESTS = /\.spec\.tsx?$/;
/** Calls that are made up for demonstrations and loads: their content is not a list of what there is. */
const MAKERS_OF_TRAFFIC = /^apps\/(?:demo\/src|sender\/src\/generate)\//;

const files = PLACES.flatMap((place) => globSync(place, { cwd: ROOT, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
  .filter((file) => !TESTS.test(file) && !MAKERS_OF_TRAFFIC.test(file));

/** Without what `npm run docs:catalogue` and `npm run docs:types` write. */
function byHand(text: string): string {
  let isGenerated = false;
  return text
    .split('\n')
    .filter((line) => {
      if (line.includes('generated: ')) isGenerated = true;
      if (line.includes('end of generated')) isGenerated = false;
      return !isGenerated;
    })
    .join('\n');
}

function filesWith(name: RegExp): readonly string[] {
  return files.filter((file) => name.test(byHand(readFileSync(join(ROOT, file), 'utf8')))).toSorted();
}

describe('a fact of the field has one home', () => {
  it('looks at all files', () => {
    expect(files.length).toBeGreaterThan(1_000);
    expect(byHand('a\n# generated: x\nb\n# end of generated\nc')).toBe('a\n# end of generated\nc');
  });

  // A new file here is a second list, or uses the name for itself; then say why in docs/adr/0087.
  it('names the filter bssid in its rows, two texts, the facts of a party and the limits of records', () => {
    expect(filesWith(/\bbssid\b/i)).toEqual([
      'apps/console/src/call/party-facts.ts',
      'apps/console/src/texts/de/quality.ts',
      'apps/console/src/texts/en/quality.ts',
      'docs/records.md',
      'libs/call-catalogue/src/fields/endpoint-machine.ts',
      'libs/call-catalogue/src/fields/party-filters.ts',
    ]);
  });

  it('names the metric BurstDensity in its rows, two texts and where the sender measures it', () => {
    expect(filesWith(/\bBurstDensity\b/)).toEqual([
      'apps/console/src/texts/de/parts.ts',
      'apps/console/src/texts/en/parts.ts',
      'libs/call-capture/src/quality/possible-measures.ts',
      'libs/call-catalogue/src/metrics/audio.ts',
      'libs/call-catalogue/src/metrics/statistics.ts',
    ]);
  });
});
