import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { german } from './de/index.js';
import { cultureOf, languageOf, localeOf } from './language.js';
import { modules, SOURCES } from './modules.js';
import type { DimensionWords } from './en/quality.js';
import { pluralFormatter } from './plurals.js';
import { parseSyntax, syntaxChild, textIn } from './syntax.js';
import { usedTexts } from './used-texts.js';

const UNNATURAL = [
  'No call is like that',
  'Nobody is chosen',
  'To the first view',
  'Calls at once',
  "'Go on",
  'so far of audio',
  'the newest 2 ones',
  'a record said so',
  'for 95 of 100 streams',
  'Not measured in this time',
  "'A minute",
  "'folded",
  "'set aside",
  '1,440',
  'for version ${',
  "'code points'",
  "'ends'",
];

describe('the catalogue', () => {
  it('has no text that is not used', async () => {
    const used = modules().flatMap((file) => usedTexts(readFileSync(join(SOURCES, file), 'utf8')));
    const unused = (await englishTexts()).filter(
      ({ folder, key }) => !used.some((each) => each.folder === folder && covers(each.key, key)),
    );
    expect(unused.map(({ folder, key }) => `${folder}: ${key}`)).toEqual([]);
  });

  it('has German for each sentence', async () => {
    const english = await englishTexts();
    const same = Object.values(german)
      .flatMap((texts) => leavesOf(texts))
      .filter(({ text }) => isSentence(text) && english.some((each) => each.text === text));
    expect(same.map(({ text }) => text)).toEqual([]);
  });

  it('has the same keys in both languages', async () => {
    const keys = (leaves: readonly { readonly key: string }[]): string[] => leaves.map(({ key }) => key).sort();
    expect(keys(Object.values(german).flatMap((texts) => leavesOf(texts)))).toEqual(keys(await englishTexts()));
  });

  it('has none of the wordings that readers did not find natural', () => {
    const texts = globSync('texts/en/*.ts', { cwd: SOURCES }).map((file) => readFileSync(join(SOURCES, file), 'utf8'));
    expect(UNNATURAL.filter((wording) => texts.some((text) => text.includes(wording)))).toEqual([]);
  });

  it('says of each dimension by what values are divided, in words of its own', async () => {
    const {
      en,
    }: { en: { dimensions: Readonly<Record<string, DimensionWords>>; by: (words: DimensionWords) => string } } =
      await import('./en/quality.js');
    const { endReason, dscp, endedBy, userAgent } = en.dimensions;
    expect([endReason, dscp, endedBy, userAgent].map((words) => words && en.by(words))).toEqual([
      'by kind of end',
      'by DSCP value',
      'by who ended the call',
      'by device',
    ]);
  });

  it('imports nothing into German that waits for the page', () => {
    const files = globSync('texts/de/*.ts', { cwd: SOURCES }).filter((file) => !file.endsWith('index.ts'));
    const imported = files.flatMap((file) => valueImports(readFileSync(join(SOURCES, file), 'utf8')));
    expect(imported.filter((source) => source !== '../plurals.js')).toEqual([]);
  });
});

describe('the language', () => {
  it.each([
    ['de', null, ['de-AT', 'en']],
    ['en', null, ['fr-FR', 'en-US', 'de']],
    ['en', null, ['fr-FR']],
    ['en', 'en', ['de-DE']],
    ['de', 'tlh', ['de']],
    ['en', 'toString', []],
  ])('is %s if %s was chosen and the browser prefers %j', (expected, chosen, preferred) => {
    expect(languageOf(chosen, preferred)).toBe(expected);
  });

  it.each([
    ['de-AT', 'de', ['fr', 'de-AT']],
    ['en-u-hc-h23', 'en', ['de-DE']],
    ['de-u-hc-h12', 'de', ['en-US']],
  ] as const)('has the locale %s for %s if the browser prefers %j', (expected, language, preferred) => {
    expect(localeOf(language, preferred)).toBe(expected);
  });

  it.each([
    ['de-AT', 'de', ['en', 'de-AT']],
    ['de', 'de', ['en-US']],
  ] as const)('is %s for the server if %s is shown and the browser prefers %j', (expected, language, preferred) => {
    expect(cultureOf(language, preferred)).toBe(expected);
  });

  it('selects the form of a plural, with the number in the format of the locale', () => {
    const plural = pluralFormatter('de');
    const forms = { one: '# Anruf', other: '# Anrufe' };
    const many = new Intl.NumberFormat().format(2000);
    expect([0, 1, 2000].map((count) => plural(count, forms))).toEqual(['0 Anrufe', '1 Anruf', `${many} Anrufe`]);
  });
});

interface Leaf {
  readonly key: string;
  /** Undefined for a function. */
  readonly text: string | undefined;
}

async function englishTexts(): Promise<readonly (Leaf & { readonly folder: string })[]> {
  const files = globSync('*.js', { cwd: join(import.meta.dirname, 'en') });
  const all = files.map(async (file) => {
    const { en }: { en: object } = await import(`./en/${file}`);
    return leavesOf(en).map((leaf) => ({ ...leaf, folder: file.replace(/\.js$/, '') }));
  });
  return (await Promise.all(all)).flat();
}

function leavesOf(texts: object, path = ''): readonly Leaf[] {
  return Object.entries(texts).flatMap(([name, value]: [string, unknown]) => {
    const key = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'object' && value !== null) return leavesOf(value, key);
    return [{ key, text: typeof value === 'string' ? value : undefined }];
  });
}

/** A use of a table is a use of all texts in it. */
function covers(used: string, key: string): boolean {
  return used === '' || key === used || key.startsWith(`${used}.`);
}

function isSentence(text: string | undefined): boolean {
  return text !== undefined && text.split(' ').length > 2;
}

function valueImports(code: string): readonly string[] {
  const { body } = parseSyntax(code);
  const statements: readonly ReturnType<typeof parseSyntax>[] = Array.isArray(body) ? body : [];
  return statements
    .filter(({ type, importKind }) => type === 'ImportDeclaration' && importKind !== 'type')
    .map((statement) => textIn(syntaxChild(statement, 'source'), 'value'));
}
