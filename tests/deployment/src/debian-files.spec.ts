import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
const SOURCES = join(ROOT, 'deploy/debian');
const UNIT = readFileSync(join(SOURCES, 'ringdown.service'), 'utf8');

function unitValues(key: string): string[] {
  return [...UNIT.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

// systemd and dpkg read them in apps/ringdown/test/debian-package.spec.ts.
describe('the unit of the Debian package', () => {
  it('has the folders that the package makes, and a time to stop that is longer than that of the program', () => {
    const made = [
      ...readFileSync(join(SOURCES, 'ringdown.tmpfiles'), 'utf8').matchAll(/^d (\S+) 0700 ringdown ringdown -$/gm),
    ];
    const used = [
      `/var/lib/${unitValues('StateDirectory')[0]}`,
      ...unitValues('ReadWritePaths').map((path) => path.replace(/^-/, '')),
      `/var/cache/${unitValues('CacheDirectory')[0]}`,
    ];
    expect(made.map(([, path]) => path)).toEqual(used);
    expect(unitValues('Environment')).toEqual([`NODE_COMPILE_CACHE=${used[2]}`]);
    expect(readFileSync(join(SOURCES, 'ringdown.sysusers'), 'utf8')).toBe(
      `u ${unitValues('User')[0]} - "Ringdown" ${used[0]}\n`,
    );
    expect(Number(unitValues('TimeoutStopSec')[0])).toBeGreaterThan(25);
    expect([...unitValues('Type'), ...unitValues('NotifyAccess')]).toEqual(['notify', 'all']);
  });
});

describe('the scripts of the Debian package', () => {
  it.each(['postinst', 'prerm', 'postrm'])(
    '%s is valid for the shell of Debian, and ends at the first error',
    (name) => {
      const file = join(SOURCES, name);
      expect(spawnSync('sh', ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
      expect(readFileSync(file, 'utf8')).toMatch(/^#!\/bin\/sh\n(?:#.*\n)+set -e\n/);
    },
  );

  it('name settings that exist in the example of the settings file', () => {
    const settings = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8');
    const names = [...readFileSync(join(SOURCES, 'ringdown.env'), 'utf8').matchAll(/^#?([A-Z_]+)=/gm)].map(
      ([, name]) => name,
    );
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !settings.includes(`| \`${name}\` |`))).toEqual([]);
  });
});
