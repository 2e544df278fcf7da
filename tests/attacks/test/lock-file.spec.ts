import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'ringdown-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Exit code and output of the check for a lock file with this content. */
function check(content: string): Promise<{ code: number | null; errors: string }> {
  const file = join(folder, 'package-lock.json');
  writeFileSync(file, content);
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(root, 'scripts/manifests/lock-file.mjs'), file],
      (_error, _stdout, errors) => resolve({ code: child.exitCode, errors }),
    );
  });
}

describe('a package that a registry has replaced by another', () => {
  it('is rejected by npm, because each entry of the lock file has a digest and none contains a registry', async () => {
    expect(await check(text)).toEqual({ code: 0, errors: '' });
  });

  it('is detected by the check when an entry has no digest', async () => {
    const { code, errors } = await check(withFastify({ integrity: undefined }));
    expect([code, errors]).toEqual([1, 'package-lock.json: node_modules/fastify has no sha512 integrity\n']);
  });

  it('is detected by the check when an entry contains a registry', async () => {
    const { code, errors } = await check(withFastify({ resolved: 'https://registry.example.test/fastify.tgz' }));
    expect([code, errors]).toEqual([
      1,
      'package-lock.json: node_modules/fastify contains a registry address: https://registry.example.test/fastify.tgz\n',
    ]);
  });
});

/** Our lock file with another entry for one package. */
function withFastify(changed: Record<string, string | undefined>): string {
  const lock: { packages: Record<string, object> } = JSON.parse(text);
  const name = 'node_modules/fastify';
  return JSON.stringify({ ...lock, packages: { ...lock.packages, [name]: { ...lock.packages[name], ...changed } } });
}
