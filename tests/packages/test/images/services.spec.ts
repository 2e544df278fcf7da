import { docker, dockerOutput, HARDENED, imageConfig, testImage } from '../../src/container.js';

/** Compose runs each of them, read-only and healthy (`npm run nx -- compose`), from the image with all of them. */
const SERVICES = ['discovery-auth', 'application-people', 'collector', 'aggregator', 'subscribers', 'sender'];

describe.each(SERVICES)('the image of the service %s', (service) => {
  const image = testImage(`ringdown-${service}`);
  const config = imageConfig(image);

  it('has the layers of the image with all services, and no more', () => {
    const layersOf = (name: string): string =>
      dockerOutput('image', 'inspect', '--format={{json .RootFS.Layers}}', testImage(name));
    expect(layersOf(`ringdown-${service}`)).toBe(layersOf('ringdown-services'));
  });

  it('starts its program without a shell, as a user without rights', () => {
    expect(config.User).toBe('1000:1000');
    // Engines write an empty one as null, or not at all.
    expect(config.Entrypoint ?? []).toEqual([]);
    expect(config.Cmd?.[0]).toBe('node');
    expect(config.Healthcheck?.Test.join(' ')).toContain('/health/ready');
  });

  it('runs on a root that cannot be written, and ends with 2 and a reason where a setting is missing', () => {
    // The sender alone can do without any.
    const wrong = service === 'sender' ? ['--env=SUBMIT_URI=nowhere'] : [];
    const { code, out, err } = docker('run', '--rm', ...HARDENED, '--network=none', ...wrong, image);
    expect(`${out}${err}`).toMatch(/NATS_URL|SUBMIT_URI/);
    expect(code).toBe(2);
  });

  it('says what it is, and what it contains', () => {
    expect(config.Labels).toMatchObject({
      'org.opencontainers.image.title': expect.stringMatching(/^Ringdown: \w/),
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
      'org.opencontainers.image.revision': expect.stringMatching(/^[\da-f]{40}$/),
    });
  });
});

describe('the image with all services', () => {
  it('has a list of what it contains: the packages in its programs, and Node', () => {
    const image = testImage('ringdown-services');
    const text = dockerOutput('run', '--rm', image, 'cat', 'sbom.cdx.json');
    const { bomFormat, components }: { bomFormat: string; components: { name: string; version: string }[] } =
      JSON.parse(text);
    expect(bomFormat).toBe('CycloneDX');
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'react', '@node-rs/argon2', 'Node.js']));
    expect(names).not.toContain('PostgreSQL');
    const node = dockerOutput('run', '--rm', image, 'node', '--version').trim();
    expect(components.find(({ name }) => name === 'Node.js')?.version).toBe(node.slice(1));
  });

  it('is not built under the name of a published image', () => {
    const { RINGDOWN_NODE_IMAGE } = process.env;
    const base = RINGDOWN_NODE_IMAGE === undefined ? [] : [`--build-arg=NODE_IMAGE=${RINGDOWN_NODE_IMAGE}`];
    const name = '--build-arg=IMAGE=ghcr.io/owner/ringdown-services:1.0.0';
    const recipe = '--file=deploy/images/Dockerfile';
    const { code, err } = docker('build', '--target=manifests', name, ...base, recipe, '.');
    expect(code).not.toBe(0);
    expect(err).toContain('is a published image, which is not built here. Get it first (docker compose pull)');
  });
});
