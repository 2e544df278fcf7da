import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { composeConfig, ensureCompose, type ComposeConfig } from './compose-program.js';
import { ensureKubectl, render } from './kubectl.js';
import { deploymentManifests, OVERLAYS, parseManifests } from './kubernetes-manifests.js';
import { fromScript, ROOT, script } from './scripts.js';

const IMAGES = 'ghcr.io/owner';
const FILES = ['docker-compose.yml', 'deploy/cluster.yml', 'deploy/monitoring.yml'];

function text(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Not those of a registry: other images have other ones. */
function pinned(image: string): string {
  const digest = Buffer.from(image).toString('hex').slice(-64).padStart(64, '0');
  return `${image}@sha256:${digest}`;
}

const { bases, foreign, names, settings } = fromScript(
  `import { baseImages, foreignImages, IMAGES, SETTINGS } from '${script('images/images.mjs')}';
   const names = IMAGES.map(({ name }) => name);
   console.log(JSON.stringify({ bases: baseImages('.'), foreign: foreignImages('.'), names, settings: SETTINGS }));`,
) as Readonly<Record<'bases' | 'foreign' | 'settings', Readonly<Record<string, string>>>> & {
  readonly names: readonly string[];
}; // what the line prints

describe('Compose', () => {
  let program: string;
  beforeAll(async () => {
    program = await ensureCompose();
  }, 300_000);

  function imagesOf({ services }: ComposeConfig): readonly string[] {
    return [...new Set(Object.values(services).map(({ image }) => image))].toSorted();
  }

  it('builds our images here until a published one is named', () => {
    const config = composeConfig(program, FILES, []);
    const built = Object.values(config.services).filter(({ build }) => build !== undefined);
    expect([...new Set(built.map(({ image }) => image))].toSorted()).toEqual(
      Object.values(settings)
        .map((name) => `${name}:local`)
        .toSorted(),
    );
    expect(imagesOf(config).filter((image) => image.includes('ringdown') && !image.endsWith(':local'))).toEqual([]);
  });

  it('uses the published images, all by digest, with the file of a release, and would build none of them', () => {
    const lines = [
      ...Object.entries(settings).map(([setting, name]) => `${setting}=${pinned(`${IMAGES}/${name}:1.0.0`)}`),
      ...Object.entries(foreign).map(([setting, image]) => `${setting}=${pinned(image)}`),
    ];
    const alone = composeConfig(program, FILES.slice(0, 1), lines);
    const config = composeConfig(program, FILES, lines);
    // Patroni's is in the place of the one of PostgreSQL.
    const used = [...new Set([...imagesOf(alone), ...imagesOf(config)])].toSorted();
    expect(used).toEqual(lines.map((line) => line.replace(/^\w+=/, '')).toSorted());
    const built = Object.values(config.services).filter(({ build }) => build !== undefined);
    expect(built.filter(({ image, build }) => build?.args?.['IMAGE'] !== image)).toEqual([]);
  });

  it('refuses a file that names no images', () => {
    expect(() => composeConfig(program, FILES, ['PORT=1'])).toThrow('images.env names no images');
  });
});

describe('the published manifests of Kubernetes', () => {
  const target = mkdtempSync(join(tmpdir(), 'ringdown-manifests-'));
  afterAll(() => rmSync(target, { recursive: true }));
  const write = (pins: string): unknown =>
    fromScript(
      `import { imagesOfManifests, writeManifests } from '${script('images/kubernetes.mjs')}';
       const pinned = ${pinned.toString()};
       const images = imagesOfManifests('.');
       const pins = new Map(${pins});
       writeManifests('.', '${target}', { services: pinned('${IMAGES}/ringdown-services:1.0.0'), pins });
       console.log(JSON.stringify(images));`,
    );

  it('name every image by its digest, ours in the registry', async () => {
    expect(write('images.map((image) => [image, pinned(image)])')).toContain('caddy:2.11.4-alpine');
    const kubectl = await ensureKubectl();
    for (const overlay of OVERLAYS) {
      const manifests = parseManifests(render(kubectl, join(target, overlay)));
      const pods = deploymentManifests(manifests).map(({ spec }) => spec.template.spec);
      const used = pods.flatMap(({ containers, initContainers = [] }) => [...containers, ...initContainers]);
      const images = used.map(({ image }) => image);
      expect(images.length).toBeGreaterThan(6);
      expect(images.filter((image) => !/@sha256:[\da-f]{64}$/.test(image))).toEqual([]);
      expect(images).toContain(pinned(`${IMAGES}/ringdown-services:1.0.0`).replace(':1.0.0', ''));
      const cluster: unknown = manifests.find(({ kind }) => kind === 'Cluster');
      expect(cluster).toMatchObject({ spec: { imageName: expect.stringMatching(/:17@sha256:[\da-f]{64}$/) } });
    }
    for (const size of ['small', 'cluster']) {
      const values = readFileSync(join(target, `deploy/kubernetes/nats/values-${size}.yaml`), 'utf8');
      expect(values).toMatch(/image: \{ repository: nats, tag: [\w.-]+@sha256:[\da-f]{64} \}/);
    }
  }, 300_000);

  it('are not written while one has no digest', () => {
    expect(() => write('[]')).toThrow(/ has no digest/);
  });
});

describe('the workflow of a release', () => {
  interface Job {
    readonly outputs?: Readonly<Record<string, string>>;
    readonly env?: Readonly<Record<string, string>>;
    readonly strategy?: { readonly matrix: { readonly name?: readonly string[] } };
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- GitHub's parser has read it (workflows.spec.ts)
  const { jobs, env } = parse(text('.github/workflows/release.yml')) as {
    readonly jobs: Readonly<Record<string, Job>>;
    readonly env: Readonly<Record<string, string>>;
  };

  it('publishes each image that there is', () => {
    expect(jobs['images']?.strategy?.matrix.name).toEqual(names);
    expect(env['IMAGES']).toContain("format('ghcr.io/{0}', github.repository_owner)");
    expect(text('.env.example')).toContain('\n# RINGDOWN_IMAGE=ghcr.io/FILL_IN/ringdown-services:1.0.0\n');
  });

  it('builds them on what it has found the digests of', () => {
    expect(Object.keys(jobs['bases']?.outputs ?? {}).toSorted()).toEqual(Object.keys(bases).toSorted());
    for (const name of Object.keys(bases)) {
      expect(jobs['bases']?.outputs?.[name]).toBe(`\${{ steps.pinned.outputs.${name} }}`);
      expect(jobs['image']?.env?.[name]).toBe(`\${{ needs.bases.outputs.${name} }}`);
      expect(text('deploy/images/publish.sh')).toContain(`--build-arg ${name} `);
    }
  });
});
