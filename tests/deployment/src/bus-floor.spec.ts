import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');
/** A version of nats-server as in the tags of its images. */
const IMAGE = /nats:(\d{1,3})\.(\d{1,3})/g;

function deploymentFileText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

describe('the bus of containers', () => {
  it('stores a message on disk before it acknowledges it', () => {
    const folder = join(root, 'deploy/bus');
    const files = readdirSync(folder).filter((name) => name.endsWith('.conf'));
    const jetstream = files
      .map((name) => deploymentFileText(`deploy/bus/${name}`))
      .filter((text) => /^jetstream /m.test(text));
    expect(jetstream).toHaveLength(1);
    expect(jetstream[0]).toMatch(/^ *sync_interval: always$/m);
  });

  it.each([
    'docker-compose.yml',
    '.env.example',
    'deploy/ci/images.env',
    'libs/testing/src/containers/nats-container.ts',
  ])('is 2.10 or later in %s', (path) => {
    const versions = [...deploymentFileText(path).matchAll(IMAGE)].map(([, major, minor]) => [
      Number(major),
      Number(minor),
    ]);
    expect(versions.length).toBeGreaterThan(0);
    for (const [major = 0, minor = 0] of versions) expect(major * 1_000 + minor).toBeGreaterThanOrEqual(2_010);
  });

  it('is the version of Debian 13 in the stand-in image', () => {
    const image = deploymentFileText('deploy/ci/base-images/Dockerfile')
      .split(/^FROM /m)
      .find((part) => / AS nats$/m.test(part));
    const downloads = image?.match(/^.*download nats-server.*$/m) ?? [];
    expect(downloads).toHaveLength(1);
    expect(downloads[0]).toContain('sourcelist=/tmp/trixie.list');
    expect(image).not.toMatch(/install [^&]*nats-server/);
  });
});
