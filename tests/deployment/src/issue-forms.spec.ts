import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './scripts.js';

const FOLDER = '.github/ISSUE_TEMPLATE';
const FORMS = globSync(`${FOLDER}/*.yml`, { cwd: ROOT }).filter((file) => !file.endsWith('/config.yml'));

interface Element {
  readonly type: string;
  readonly id?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly validations?: Readonly<Record<string, unknown>>;
}

interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly Element[];
}

/** Attributes of each type, those that are needed first: docs.github.com, "Syntax for GitHub's form schema". */
const TYPES: Readonly<Record<string, { readonly needed: readonly string[]; readonly allowed: readonly string[] }>> = {
  markdown: { needed: ['value'], allowed: [] },
  textarea: { needed: ['label'], allowed: ['description', 'placeholder', 'value', 'render'] },
  input: { needed: ['label'], allowed: ['description', 'placeholder', 'value'] },
  dropdown: { needed: ['label', 'options'], allowed: ['description', 'multiple', 'default'] },
  checkboxes: { needed: ['label', 'options'], allowed: ['description'] },
};

function text(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function problems({ type, id, attributes, validations = {} }: Element): readonly string[] {
  const rule = TYPES[type];
  if (rule === undefined) return [`no type ${type}`];
  const known = [...rule.needed, ...rule.allowed];
  return [
    ...rule.needed.filter((name) => attributes[name] === undefined).map((name) => `${type} without ${name}`),
    ...Object.keys(attributes).flatMap((name) => (known.includes(name) ? [] : [`${type} has no ${name}`])),
    ...Object.keys(validations).flatMap((name) => (name === 'required' ? [] : [`no validation ${name}`])),
    ...(type === 'markdown' || /^[\w-]+$/.test(id ?? '') ? [] : [`${type} without an id`]),
    ...(type === 'checkboxes' && Array.isArray(attributes['options'])
      ? attributes['options'].flatMap((option: unknown) =>
          typeof option === 'string' ? ['an option without label'] : [],
        )
      : []),
  ];
}

describe('the forms for issues', () => {
  it('are there', () => expect(FORMS.length).toBe(3));

  it.each(FORMS)('%s is one as GitHub reads it', (file) => {
    const form = parse(text(file)) as Form; // checked below
    expect(Object.keys(form).filter((name) => !['name', 'description', 'labels', 'body'].includes(name))).toEqual([]);
    expect([form.name, form.description].map((each) => typeof each)).toEqual(['string', 'string']);
    expect(form.body.flatMap((element) => problems(element))).toEqual([]);
    const ids = form.body.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(form.body.some(({ validations }) => validations?.['required'] === true)).toBe(true);
  });

  it('send vulnerabilities to the private one, as SECURITY.md says', () => {
    const { contact_links: links }: { readonly contact_links: readonly Readonly<Record<string, string>>[] } = parse(
      text(`${FOLDER}/config.yml`),
    );
    expect(links.map(({ url }) => url)).toEqual([expect.stringMatching(/^https:\/\/\S+\/security\/advisories\/new$/)]);
    expect(text('SECURITY.md')).toContain('through the "Report a vulnerability" form');
  });
});

describe('CODEOWNERS', () => {
  it('has an owner for everything', () => {
    const lines = text('.github/CODEOWNERS')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).toMatch(/^\* @[\w-]+(?:\/[\w-]+)?$/);
  });
});

describe('renovate.json', () => {
  it('names only files and packages that there are', () => {
    const { packageRules }: { readonly packageRules: readonly Readonly<Record<string, readonly string[]>>[] } =
      JSON.parse(text('renovate.json'));
    const { packages }: { readonly packages: Readonly<Record<string, unknown>> } = JSON.parse(
      text('package-lock.json'),
    );
    const names = Object.keys(packages).flatMap((place) => place.split('node_modules/').at(-1) ?? []);
    const unused = packageRules
      .flatMap(({ matchPackageNames = [] }) => matchPackageNames)
      .filter((rule) => {
        const pattern = rule.startsWith('/') ? new RegExp(rule.slice(1, -1)) : undefined;
        return !names.some((name) => pattern?.test(name) ?? name === rule);
      });
    expect(unused).toEqual([]);
    const files = packageRules.flatMap(({ matchFileNames = [] }) => matchFileNames);
    expect(files.filter((pattern) => globSync(pattern, { cwd: ROOT }).length === 0)).toEqual([]);
  });
});
