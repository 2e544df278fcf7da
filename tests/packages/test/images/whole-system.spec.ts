import { jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Container, docker, dockerOutput, HARDENED, imageConfig, makeVolume, testImage } from '../../src/container.js';
import { VISITOR_PROGRAM } from '../../src/visitor.js';

jest.setTimeout(120_000);

const IMAGE = testImage('ringdown');
const NODE = '/opt/ringdown/node/bin/node';
const USER = '1000';

/** The options of the command in a document, but for its name and ports, and with a volume of the test. */
function documented(file: string, volume: string): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, '../../../../..', file), 'utf8');
  const [, options = ''] = /^docker run -d --name ringdown (.*) ringdown:local$/m.exec(text) ?? [];
  return options
    .replaceAll(/ -p \d+:\d+/g, '')
    .replace('-v ringdown:', `-v ${volume}:`)
    .split(' ');
}

describe('the image of the whole system', () => {
  const volume = makeVolume();
  let container: Container | undefined;
  const running = (): Container => {
    if (container === undefined) throw new Error('it has not started');
    return container;
  };
  const start = async (): Promise<void> => {
    const began = performance.now();
    // Nothing outside can be reached: all that it needs is inside.
    container = Container.start(IMAGE, '--network=none', ...documented('README.md', volume));
    await container.healthy(60);
    process.stderr.write(`healthy after ${((performance.now() - began) / 1_000).toFixed(1)} s\n`);
  };
  /** Posts a record, unless it is known, and finds its call in the API of the console. */
  const visit = (callId: string, post: 'yes' | 'no'): string =>
    running().exec({ POST: post, NODE_EXTRA_CA_CERTS: '/data/ringdown/tls/cert.pem' }, [
      NODE,
      '--eval',
      VISITOR_PROGRAM,
      '/data/ringdown',
      '8443',
      '8080',
      callId,
    ]);
  afterAll(() => {
    container?.remove();
    dockerOutput('volume', 'rm', volume);
  });

  it('starts on a root that cannot be written, without rights and without a network, and becomes healthy', async () => {
    await start();
    expect(running().users()).toEqual([USER]);
    expect(docker('exec', running().name, 'touch', '/opt/ringdown/file').err).toContain('Read-only file system');
  });

  it('is started by the same command in both documents', () => {
    expect(documented('README.md', 'own')).toEqual(['--read-only', '--tmpfs', '/tmp', '-v', 'own:/data']);
    expect(documented('deploy/README.md', 'own')).toEqual(documented('README.md', 'own'));
  });

  it('accepts a record and shows its call', () => {
    expect(visit('first-call', 'yes')).toBe('first-call\n');
  });

  it('has its commands, with settings and places of its own', () => {
    const command = (...words: readonly string[]): string => running().exec({}, ['ringdown', ...words]);
    expect(command('status')).toContain('Ringdown is running and ready: process 1');
    expect(command('people', 'list')).toContain('carol@example.test');
    expect(command('version')).toMatch(/Settings +\/etc\/ringdown\/ringdown\.env\n +Data +\/data\/ringdown\n/);
    expect(command('backup')).toContain('Backup complete: /data/backups/');
  });

  it('does not run twice on the same data, although the second one cannot see the first', () => {
    const { code, err } = docker('run', '--rm', '--network=none', ...documented('README.md', volume), IMAGE);
    const words = 'the data folder /data/ringdown is in use by process 1 of another container or machine';
    expect([code, err]).toEqual([1, expect.stringContaining(`ringdown: ${words}\n`)]);
  });

  it('stops in order within ten seconds of SIGTERM', () => {
    // After them it would be killed, which is another status.
    expect(running().stop(10)).toBe(0);
  });

  it('has its data again in a new container', async () => {
    running().remove();
    container = undefined;
    await start();
    expect(visit('first-call', 'no')).toBe('first-call\n');
  });

  it('ends with 2 and one line when a setting is wrong', () => {
    const { code, out, err } = docker('run', '--rm', ...HARDENED, '--network=none', '--env=PROT=1', IMAGE);
    expect([code, `${out}${err}`]).toEqual([2, 'ringdown: PROT is not a setting; did you mean PORT?\n']);
  });

  it('says what it is, and what it contains', () => {
    const { Labels, User } = imageConfig(IMAGE);
    expect(User).toBe(`${USER}:${USER}`);
    const text = dockerOutput('run', '--rm', '--entrypoint=cat', IMAGE, '/opt/ringdown/sbom.cdx.json');
    const { bomFormat, metadata } = JSON.parse(text);
    expect([bomFormat, metadata.component.version]).toEqual(['CycloneDX', Labels['org.opencontainers.image.version']]);
    expect(Labels).toMatchObject({
      'org.opencontainers.image.title': 'Ringdown',
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.revision': expect.stringMatching(/^[\da-f]{40}$/),
    });
  });
});
