import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const script = join(import.meta.dirname, '../../../../deploy/make-env.sh');

describe('deploy/make-env.sh add-keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-make-env-'));
  const file = join(folder, '.env');
  afterAll(() => rmSync(folder, { recursive: true }));

  function addKeys(): number | null {
    return spawnSync('sh', [script, 'add-keys'], { env: { ...process.env, RINGDOWN_ENV_FILE: file } }).status;
  }

  it.each([
    ['with', 'PORT=8443\n'],
    ['without', 'PORT=8443'],
  ])('keeps the last line of a file %s an end of line, and adds what is missing once', (_end, text) => {
    writeFileSync(file, text);
    expect(addKeys()).toBe(0);
    const added = readFileSync(file, 'utf8');
    expect(added).toMatch(/^PORT=8443\nNATS_SEED_COLLECTOR=SU\w+\nNATS_KEY_COLLECTOR=U\w+\n/);
    expect(addKeys()).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(added);
  });
});
