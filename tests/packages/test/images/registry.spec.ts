import { jest } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { docker, dockerOutput, testImage } from '../../src/container.js';
import type { Ended } from '../../src/debian-root.js';
import { fullName, Registry } from '../../src/registry.js';

jest.setTimeout(300_000);

const ROOT = join(import.meta.dirname, '../../../../..');
const VERSION = '1.0.0';
/** Images with other digests and the same layers, in the places of those of others. */
const STAND_INS = ['ringdown-collector', 'ringdown-aggregator', 'ringdown-sender', 'ringdown-subscribers'];

describe('a release in a registry', () => {
  let registry: Registry;
  let images = '';
  const digests = new Map<string, string>();
  beforeAll(async () => {
    registry = await Registry.start();
    images = `${registry.address}/owner`;
    for (const name of ['ringdown-services', 'ringdown-patroni'])
      digests.set(
        `${images}/${name}:${VERSION}`,
        registry.push(testImage('ringdown-services'), `owner/${name}:${VERSION}`),
      );
    const found: string[] = JSON.parse(
      run(
        'node',
        '--input-type=module',
        '--eval',
        `
        import { baseImages, foreignImages } from '${ROOT}/scripts/images/images.mjs';
        import { imagesOfManifests } from '${ROOT}/scripts/images/kubernetes.mjs';
        const all = [baseImages, foreignImages].flatMap((list) => Object.values(list('${ROOT}')));
        console.log(JSON.stringify([...new Set([...all, ...imagesOfManifests('${ROOT}')])]));`,
      ).out,
    );
    for (const [at, image] of found.entries())
      digests.set(image, registry.push(testImage(STAND_INS[at % STAND_INS.length] ?? ''), fullName(image)));
  });
  afterAll(() => registry.stop());

  /** A program in the checkout, for which names of public registries lead here. */
  function run(command: string, ...args: readonly string[]): Ended {
    const PATH = `${join(ROOT, '.cache/oras')}:${process.env['PATH']}`;
    const own = { PATH, HOME: registry.folder, RINGDOWN_ENV_FILE: file('.env') };
    // Of the images, only the one that others are built on: the environment would win over the file.
    const left = Object.entries(process.env).filter(([name]) => !/^RINGDOWN_(?!NODE_)(?:[A-Z]+_)?IMAGE$/.test(name));
    const env = { ...Object.fromEntries(left), ...own };
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', env });
    return { code: status, out: stdout, err: stderr };
  }
  const file = (name: string): string => join(registry.folder, name);
  const pinned = (image: string): string => `${image}@${digests.get(image)}`;

  it('names what images are built on with the digests that the registry has', () => {
    const { code, out, err } = run('node', 'scripts/images/pin.mjs', 'bases');
    expect([code, err]).toEqual([0, '']);
    const lines = out.trim().split('\n');
    expect(lines.map((line) => line.split('=', 1)[0])).toEqual(['DEBIAN_IMAGE', 'NODE_IMAGE', 'POSTGRES_IMAGE']);
    for (const line of lines) {
      const [, image = ''] = /=(.*)@/.exec(line) ?? [];
      expect(line.endsWith(`=${pinned(image)}`)).toBe(true);
    }
  });

  it('says which image a registry does not have', () => {
    const { code, err } = run('node', 'scripts/images/pin.mjs', 'release', images, '9.9.9', file('out'));
    expect(code).toBe(1);
    expect(err).toMatch(/owner\/ringdown-services:9\.9\.9: .*manifest unknown/);
  });

  it('is what Compose runs from then on, by digests', () => {
    expect(run('node', 'scripts/images/pin.mjs', 'release', images, VERSION, file('out'))).toMatchObject({ code: 0 });
    expect(run('deploy/make-env.sh')).toMatchObject({ code: 0 });
    writeFileSync(file('.env'), `${readFileSync(file('.env'), 'utf8')}RINGDOWN_IMAGE=older\nHTTP_PORT=81\n`);
    expect(run('deploy/make-env.sh', 'images', file('out/images.env'))).toMatchObject({ code: 0 });
    const settings = readFileSync(file('.env'), 'utf8');
    expect(settings).toContain('\nHTTP_PORT=81\n');
    expect(settings).not.toContain('older');
    expect(settings).toContain(`\nRINGDOWN_IMAGE=${pinned(`${images}/ringdown-services:${VERSION}`)}\n`);
    const config = compose('config').out;
    const used = [...config.matchAll(/^ *image: (.*)$/gm)].map(([, image = '']) => image);
    expect(used.length).toBeGreaterThan(14);
    expect(used.filter((image) => !/^[\w./:-]+@sha256:[\da-f]{64}$/.test(image))).toEqual([]);
  });

  /** Whatever Compose this machine has. */
  function compose(...args: readonly string[]): Ended {
    const own = ['--env-file', file('.env'), '--project-name', 'ringdown-test-registry'];
    const isPlugin = docker('compose', 'version').code === 0;
    return isPlugin ? run('docker', 'compose', ...own, ...args) : run('docker-compose', ...own, ...args);
  }

  it('is pulled and run by Compose, and not built under its name', () => {
    const image = pinned(`${images}/ringdown-services:${VERSION}`);
    const make = ['run', '--rm', '--no-deps', '--entrypoint', 'node', 'people', '--version'];
    try {
      const early = compose('build', 'people');
      // By the engine, because of the digest; the recipe refuses names without one.
      expect(`${early.out}${early.err}`).toMatch(/build tag cannot contain a digest|is a published image/);
      expect(early.code).not.toBe(0);
      expect(compose('pull', 'people')).toMatchObject({ code: 0 });
      expect(compose(...make)).toMatchObject({ code: 0, out: expect.stringMatching(/^v24\./) });
      expect(dockerOutput('image', 'inspect', '--format={{json .RepoDigests}}', image)).toContain(image.split('@')[1]);
    } finally {
      compose('down', '--volumes');
      docker('rmi', image);
    }
  });

  it('has one name for the images of both processors', () => {
    // As a plug-in, for this alone: Compose would build with it.
    const home = file('with-buildx');
    mkdirSync(join(home, '.docker/cli-plugins'), { recursive: true });
    symlinkSync(join(ROOT, '.cache/docker-buildx/docker-buildx'), join(home, '.docker/cli-plugins/docker-buildx'));
    const pushed = ['ringdown-aggregator', 'ringdown-sender'].map((name) =>
      registry.push(testImage(name), `owner/ringdown:of-${name}`),
    );
    const named = run('env', `HOME=${home}`, 'deploy/images/name.sh', images, 'ringdown', VERSION, ...pushed);
    expect(named).toMatchObject({ code: 0, out: expect.stringMatching(/^sha256:[\da-f]{64}\n$/) });
    const list = run('skopeo', 'inspect', '--raw', `docker://${images}/ringdown@${named.out.trim()}`).out;
    const { manifests }: { manifests: { digest: string }[] } = JSON.parse(list);
    expect(manifests.map(({ digest }) => digest)).toEqual(pushed);
  });

  it('has manifests of Kubernetes with the same digests, as an artefact that is the same when it is made again', () => {
    const name = `ringdown-kubernetes-${VERSION}.tar.gz`;
    const push = (): string => run('deploy/images/push-kubernetes.sh', images, VERSION, file(`out/${name}`)).out;
    const digest = push();
    expect(digest).toMatch(/^sha256:[\da-f]{64}\n$/);
    expect(push()).toBe(digest);
    const pulled = run('oras', 'pull', '--output', file('pulled'), `${images}/ringdown-kubernetes@${digest.trim()}`);
    expect(pulled).toMatchObject({ code: 0 });
    expect(readFileSync(file(`pulled/${name}`)).equals(readFileSync(file(`out/${name}`)))).toBe(true);
    expect(run('tar', '-xzf', file(`pulled/${name}`), '-C', file('pulled'))).toMatchObject({ code: 0 });
    const overlay = readFileSync(file('pulled/deploy/kubernetes/overlays/small/kustomization.yaml'), 'utf8');
    const ours = digests.get(`${images}/ringdown-services:${VERSION}`);
    expect(overlay).toContain(`- { name: ringdown-services, newName: ${images}/ringdown-services, digest: ${ours} }`);
    const edge = readFileSync(file('pulled/deploy/kubernetes/base/edge.yaml'), 'utf8');
    expect(edge).toMatch(/image: caddy:[\w.-]+@sha256:[\da-f]{64}$/m);
  });
});
