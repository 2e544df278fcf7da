import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './scripts.js';

describe('the sender as a package of npm', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-npm-sender-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function run(command: string, ...args: readonly string[]): string {
    const { stdout, stderr, status } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  }

  it('has no dependencies, the version and licence of the project, and runs where nothing else is', () => {
    run(process.execPath, 'scripts/package/sender.mjs', '--out', folder);
    const [archive = ''] = readdirSync(folder);
    run('tar', '-C', folder, '-xzf', join(folder, archive));
    const read = (file: string): string => readFileSync(join(folder, 'package', file), 'utf8');
    const { version, dependencies, bin, license }: Readonly<Record<string, unknown>> = JSON.parse(read('package.json'));
    expect({ dependencies, license }).toEqual({ dependencies: undefined, license: 'Apache-2.0' });
    expect(archive).toBe(`ringdown-sender-${String(version)}.tgz`);
    const program = Object(bin)['ringdown-sender'];
    expect(run(process.execPath, join(folder, 'package', program), '--help')).toContain('generate');
    expect(read('THIRD-PARTY-LICENSES.txt')).toContain('pino');
    expect(read('README.md')).toContain('HEP');
  });
});
