import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** The oldest supported version, as Debian 12 has it, and one that does not know the current syntax. */
const DEBIAN_12 = '18.13.0';
const ANCIENT = '4.9.1';

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** The commands of package.json, run by the Node of a machine that is older than the project's own. */
describe('an old Node of the machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-old-node-'));

  beforeAll(async () => {
    const packages = [DEBIAN_12, ANCIENT].map(
      (version) => `node-${version}@npm:node-${process.platform}-${process.arch}@${version}`,
    );
    await promisify(execFile)('npm', [
      'install',
      '--prefix',
      folder,
      '--prefer-offline',
      '--ignore-scripts',
      ...packages,
    ]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function run(version: string, ...args: string[]): Promise<Ended> {
    const node = join(folder, 'node_modules', `node-${version}`, 'bin', 'node');
    const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data') };
    const program = join(root, 'scripts', 'run.cjs');
    return promisify(execFile)(node, [program, ...args], { cwd: folder, env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
    );
  }

  it('is replaced by the Node of the project from version 18 on', async () => {
    // This command is built with the current syntax, and needs no running system.
    const stderr = `dead-letters: no system runs in ${join(folder, 'data')} (DATA_DIR), and NATS_URL is not set\n`;
    expect(await run(DEBIAN_12, 'system/dead-letters', 'list')).toEqual({ code: 1, stdout: '', stderr });
  });

  it('is rejected in one line if it is older', async () => {
    const stderr = `ringdown: Node 18 or later is needed to start; this is ${ANCIENT}\n`;
    expect(await run(ANCIENT, 'system/start')).toEqual({ code: 1, stdout: '', stderr });
  });
});
