import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { fromScript, ROOT, script } from './scripts.js';

function text(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly build?: { readonly args: Readonly<Record<string, string>> };
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the specification expects is checked by it
const { services } = parse(text('docker-compose.yml'), { merge: true, maxAliasCount: 1_000 }) as {
  readonly services: Readonly<Record<string, Service>>;
};
const RECIPE = text('deploy/images/Dockerfile');
const WHOLE = text('deploy/images/ringdown.Dockerfile');

/** Stages of a recipe that are images: their instructions by their names. */
function stages(recipe: string): ReadonlyMap<string, string> {
  const parts = recipe.split(/^FROM /m).slice(1);
  return new Map(parts.map((part) => [/ AS ([\w-]+)$/.exec(part.split('\n')[0] ?? '')?.[1] ?? '', part]));
}

/** The list of an instruction in the form without a shell; undefined where it has another form. */
function words(recipe: string, instruction: string): unknown {
  const found = new RegExp(`^${instruction} (?:--\\S+ )*(?:CMD )?(\\[.*\\])$`, 'm').exec(recipe.replaceAll('\\\n', ''));
  return found === null ? undefined : JSON.parse(found[1] ?? '');
}

describe('the recipe of the services', () => {
  const runnable = [...stages(RECIPE)].filter(([, part]) => part.startsWith('runtime AS'));

  it('makes an image of each service, and last the one with all of them', () => {
    const names = runnable.map(([name]) => name);
    expect(names.at(-1)).toBe('services');
    expect(names.slice(0, -1)).toEqual([
      'discovery-auth',
      'application-people',
      'collector',
      'aggregator',
      'subscribers',
      'sender',
    ]);
    // Nothing that would be one more layer.
    for (const [, part] of runnable) expect(part).not.toMatch(/^(?:RUN|COPY|ADD|WORKDIR|USER)\b/m);
  });

  it.each(runnable.filter(([name]) => name !== 'services'))('starts %s as Compose does', (name, part) => {
    const service = services[name === 'sender' ? 'sender-fe1' : name];
    expect(words(part, 'CMD')).toEqual(service?.command);
  });
});

describe.each([
  ['the services', stages(RECIPE).get('runtime') ?? ''],
  ['the whole system', WHOLE],
])('the image of %s', (_what, recipe) => {
  it('runs as a user of a fixed number, without a shell', () => {
    expect(recipe.match(/^USER .*$/gm)).toEqual(['USER 1000:1000']);
    expect(words(recipe, 'ENTRYPOINT')).toBeDefined();
  });

  it('has a health check that asks whether it is ready', () => {
    expect(words(recipe, 'HEALTHCHECK')).toEqual(['bash', '-c', expect.stringContaining('GET /health/ready')]);
  });

  it('names its licence', () => expect(recipe).toContain('org.opencontainers.image.licenses=Apache-2.0'));
});

describe('the health check of the whole system', () => {
  it('is that of the services', () => {
    const [ofServices, ofWhole] = [RECIPE, WHOLE].map((recipe) => JSON.stringify(words(recipe, 'HEALTHCHECK')));
    expect(ofWhole?.replace('${INNER_PORT:-8790}', '$INNER_PORT')).toBe(ofServices);
  });
});

describe('the name of a published image', () => {
  const built = Object.values(services).filter(({ build }) => build !== undefined);

  it('is passed to the recipe, which builds nothing under it', () => {
    expect(built.length).toBeGreaterThan(8);
    expect(built.filter(({ image, build }) => build?.args['IMAGE'] !== image)).toEqual([]);
    const [, fallback] = /^\$\{RINGDOWN_IMAGE:-(.*)\}$/.exec(built[0]?.image ?? '') ?? [];
    expect(RECIPE).toContain(`\nARG IMAGE=${fallback}\nRUN case $IMAGE in *:local) ;; *) \\\n`);
    const patroni = text('deploy/cluster.yml');
    expect(patroni).toContain('  image: ${RINGDOWN_PATRONI_IMAGE:-ringdown-patroni:local}\n');
    expect(patroni).toContain('      IMAGE: ${RINGDOWN_PATRONI_IMAGE:-ringdown-patroni:local}\n');
    expect(text('deploy/cluster/postgres.Dockerfile')).toContain('\nRUN case $IMAGE in *:local) ;; *) \\\n');
  });
});

describe('what the owner of the repository fills in', () => {
  it('is asked for by npm run release, in whatever file it is', () => {
    const places = fromScript(
      `import { WITH_PLACES } from '${script('release/checks.mjs')}'; console.log(JSON.stringify(WITH_PLACES));`,
    ) as readonly string[]; // what the line prints
    const files = globSync(['*', '.*', '.github/**/*', 'deploy/**/*'], { cwd: ROOT, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
    const left = files.filter((file) => text(file).includes('FILL_IN') && file !== 'CHANGELOG.md' && file !== '.git');
    expect(left.length).toBeGreaterThan(3);
    expect(left.filter((file) => !places.some((place) => file === place || file.startsWith(`${place}/`)))).toEqual([]);
  });
});
