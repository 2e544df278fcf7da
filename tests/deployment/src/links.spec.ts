import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync(['docs/**/*.md', 'deploy/**/*.md', '{apps,libs,tests}/*/README.md'], { cwd: ROOT }),
];

/** A document without its examples, whose lines may look like headings or links. */
const prose = (file: string): string => readFileSync(join(ROOT, file), 'utf8').replace(/^```.*?^```$/gms, '');

/** The anchor that GitHub gives a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/\]\([^)]*\)/g, '')
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');

const anchors = (file: string): readonly string[] =>
  [...prose(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading));

/** What is wrong with a link of a document to a file or heading, or nothing. */
function broken(document: string, target: string): readonly string[] {
  const [path = '', heading] = target.split('#');
  const file = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(ROOT, file))) return [`${target}: no such file`];
  return heading === undefined || anchors(file).includes(heading) ? [] : [`${target}: no such heading`];
}

/** The sections of a page that a source cites: `page.md, section 5`, `page.md, sections 4 and 8`, `page.md, 4.2`. */
function citations(source: string, page: string): readonly string[] {
  const text = source.replaceAll(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
  return text
    .split(`${page}, `)
    .slice(1)
    .flatMap((rest) => /^(?:sections? )?([\w.]+(?:(?:, | and )\d[\d.]*)*)/.exec(rest)?.[1]?.split(/, | and /) ?? [''])
    .map((section) => section.replace(/\.$/, ''));
}

describe('the documents', () => {
  it.each(DOCUMENTS)('%s links only files and headings that exist', (document) => {
    const targets = [...prose(document).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].flatMap(([, to]) => to ?? []);
    expect(targets.flatMap((target) => broken(document, target))).toEqual([]);
  });

  it('begin with a README of at most 7 KB', () => {
    expect(readFileSync(join(ROOT, 'README.md')).byteLength).toBeLessThanOrEqual(7 * 1024);
  });

  it.each(['web-interface.md', 'diagnostics-feed.md'])(
    'have each section of docs/protocol/%s that code cites',
    (page) => {
      const sections = [...prose(`docs/protocol/${page}`).matchAll(/^##+ ([\d.]+?)\.? /gm)].map(([, number]) => number);
      const sources = globSync('{apps,libs,tests}/*/{src,test}/**/*.{ts,tsx}', { cwd: ROOT });
      const cited = sources.flatMap((file) => citations(readFileSync(join(ROOT, file), 'utf8'), page));
      expect(cited.length).toBeGreaterThan(20);
      expect(cited.filter((section) => !sections.includes(section))).toEqual([]);
    },
  );
});
