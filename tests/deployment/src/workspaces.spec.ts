import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const WORKSPACES = globSync('{apps,libs,tests}/*/package.json', { cwd: ROOT }).map((file) => dirname(file));

interface Manifest {
  readonly nx?: { readonly namedInputs?: { readonly documents?: readonly string[] } };
}

/** Documents of the project that unit tests of a workspace read, as inputs of Nx. */
function documentsOf(workspace: string): readonly string[] {
  if (workspace === 'tests/deployment') return ['{workspaceRoot}/**/*'];
  const specs = globSync('src/**/*.spec.ts', { cwd: join(ROOT, workspace) });
  const named = specs.flatMap((spec) => {
    const text = readFileSync(join(ROOT, workspace, spec), 'utf8');
    return [...text.matchAll(/\.\.\/(docs\/[\w./-]+)'/g)].map(([, file]) => `{workspaceRoot}/${file}`);
  });
  return [...new Set(named)].toSorted();
}

describe.each(WORKSPACES)('the workspace %s', (workspace) => {
  it('has a README with the command that runs its tests', () => {
    const readme = join(ROOT, workspace, 'README.md');
    expect(existsSync(readme)).toBe(true);
    expect(readFileSync(readme, 'utf8')).toContain('npm run test:some -- ');
  });

  it('is built with the others', () => {
    const { references }: { references: readonly { readonly path: string }[] } = JSON.parse(
      readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'),
    );
    expect(references.map(({ path }) => path)).toContain(workspace);
  });

  // Otherwise a cached result would still be used after a change of the document.
  it('lists for Nx the documents that its unit tests read', () => {
    const { nx }: Manifest = JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'));
    expect(nx?.namedInputs?.documents ?? []).toEqual(documentsOf(workspace));
  });
});

it.each(['package.json', 'project.json', 'scripts/nx/workspace-targets.mjs'])(
  '%s runs scripts that are there',
  (file) => {
    const scripts = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/scripts\/run\.cjs ([\w/-]+)/g)];
    expect(scripts).not.toEqual([]);
    // Benchmarks are in a folder of their own (scripts/launch.cjs).
    const folder = (name = ''): string => (name.startsWith('bench/') ? ROOT : join(ROOT, 'scripts'));
    const missing = scripts.filter(([, name]) => !existsSync(join(folder(name), `${name}.mjs`)));
    expect(missing.map(([command]) => command)).toEqual([]);
  },
);
