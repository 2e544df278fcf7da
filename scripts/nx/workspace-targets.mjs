// Plugin of Nx (nx.json): gives each workspace its targets by what is in its folder, so that a new one has them at once.
// nx.json says what they depend on and which of them are cached.
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MANIFESTS = '{apps,libs,tests}/*/package.json';

function command(text) {
  return { executor: 'nx:run-commands', options: { command: text, cwd: '{workspaceRoot}' } };
}

function targetsOf(folder, workspaceRoot) {
  const hasFiles = (pattern) => globSync(pattern, { cwd: join(workspaceRoot, folder) }).length > 0;
  const isProduct = !folder.startsWith('tests/');
  return {
    build: command(`node scripts/run.cjs dev/build ${folder}`),
    lint: command(`oxlint --type-aware --deny-warnings ${folder}`),
    ...(hasFiles('src/**/*.spec.{ts,tsx}') && { test: command(`node scripts/run.cjs test/unit ${folder}`) }),
    // Those of tests/* need a running system: they are targets of the root (project.json).
    ...(isProduct &&
      hasFiles('test/**/*.spec.ts') && {
        'test:integration': command(`node scripts/run.cjs test/integration ${folder}`),
      }),
  };
}

export const name = 'ringdown-workspaces';

export const createNodesV2 = [
  MANIFESTS,
  (manifests, _options, { workspaceRoot }) =>
    manifests
      .filter((manifest) => existsSync(join(workspaceRoot, dirname(manifest), 'tsconfig.json')))
      .map((manifest) => {
        const root = dirname(manifest);
        return [manifest, { projects: { [root]: { root, targets: targetsOf(root, workspaceRoot) } } }];
      }),
];
