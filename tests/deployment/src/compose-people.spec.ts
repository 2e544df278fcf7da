import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the specification expects is checked by it
const { services } = parse(read('docker-compose.yml'), { merge: true, maxAliasCount: 1_000 }) as {
  readonly services: Readonly<Record<string, { readonly environment?: Readonly<Record<string, string>> }>>;
};

/** The settings in the table of docs/settings.md, which another test compares with the program. */
const settings = [...read('docs/settings.md').matchAll(/^\| `([A-Z_\d]+)` /gm)].map(([, name = '']) => name);
const of = (...prefixes: readonly string[]): readonly string[] =>
  settings.filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));

describe('the settings of people and single sign-on, in .env for Compose', () => {
  it.each([
    ['discovery-auth', of('DIRECTORY_', 'OIDC_', 'PASSWORD_', 'BAD_PASSWORDS')],
    ['application-people', of('DIRECTORY_')],
  ])('all reach %s', (service, names) => {
    expect(names.length).toBeGreaterThan(15);
    const { environment = {} } = services[service] ?? {};
    expect(names.filter((name) => environment[name] !== `\${${name}:-}`)).toEqual([]);
  });

  it('let discovery-auth trust the authority of a provider', () => {
    expect(services['discovery-auth']?.environment?.['NODE_EXTRA_CA_CERTS']).toBe('${OIDC_CA_FILE:-}');
  });

  it('are variables of the compose files, as is every other line of the example', () => {
    const files = ['docker-compose.yml', ...readdirSync(join(root, 'deploy')).map((name) => `deploy/${name}`)];
    const texts = files.filter((name) => /\.ya?ml$|\.sh$/.test(name)).map((name) => read(name));
    const inExample = [...read('.env.example').matchAll(/^(?:# )?([A-Z][A-Z_\d]+)=/gm)].map(([, name = '']) => name);
    expect(inExample).toEqual(expect.arrayContaining(['OIDC_ISSUER', 'PASSWORD_MIN_LENGTH', 'DIRECTORY_URL']));
    const known = (name: string): boolean => texts.some((text) => new RegExp(`\\$\\{?${name}\\b`).test(text));
    expect(inExample.filter((name) => !known(name) && !name.startsWith('COMPOSE_'))).toEqual([]);
  });
});
