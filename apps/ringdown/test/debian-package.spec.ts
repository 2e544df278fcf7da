import { findProgram } from '@ringdown/testing/find-program';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../../../..');
const SOURCES = join(ROOT, 'deploy/debian');
const UNIT = readFileSync(join(SOURCES, 'ringdown.service'), 'utf8');
const ADVICE = 'this test needs it to read the unit as systemd does. Install it (Debian: apt-get install systemd)';
/** What `systemd-analyze security` calls the exposure of a service: 0 to 10, here times ten. */
const HIGHEST_EXPOSURE = 20;

describe('the unit of the Debian package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-unit-'));
  const file = join(folder, 'ringdown.service');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function analyze(text: string, ...args: readonly string[]): { readonly status: number | null; readonly out: string } {
    writeFileSync(file, text.replaceAll('/usr/bin/ringdown', join(folder, 'ringdown')));
    writeFileSync(join(folder, 'ringdown'), '#!/bin/sh\n', { mode: 0o755 });
    const program = findProgram('systemd-analyze', ADVICE);
    const { status, stdout, stderr } = spawnSync(program, [...args, file], { encoding: 'utf8' });
    return { status, out: `${stdout}${stderr}` };
  }

  /** Other units of the machine may have faults too. */
  function faults(text: string): readonly string[] {
    return analyze(text, 'verify', '--man=no')
      .out.split('\n')
      .filter((line) => line.includes('ringdown'));
  }

  it('is valid for systemd', () => {
    expect(faults(UNIT)).toEqual([]);
    expect(faults(UNIT.replace('LimitNOFILE', 'LimitNOFILES')).join()).toContain("'LimitNOFILES' in section [Service]");
  });

  it('exposes the machine less than 2.0 of 10, as systemd counts it', () => {
    const security = ['security', '--offline=true', `--threshold=${HIGHEST_EXPOSURE}`, '--no-pager'];
    expect(analyze(UNIT, ...security)).toMatchObject({
      status: 0,
      out: expect.stringMatching(/Overall exposure level for ringdown\.service: [01]\.\d OK/),
    });
    const weaker = UNIT.replace('ProtectSystem=strict', 'ProtectSystem=no').replace(/^SystemCallFilter=.*$/gm, '');
    expect(analyze(weaker, ...security).status).not.toBe(0);
  });
});

describe('the Debian package of a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-deb-'));
  const file = join(folder, 'made.deb');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function make(umask: string): void {
    const parent = mkdtempSync(join(folder, 'tree-'));
    const tree = join(parent, 'ringdown-1.0.0');
    mkdirSync(join(tree, 'share/man/man1'), { recursive: true });
    mkdirSync(join(tree, 'bin'));
    writeFileSync(join(tree, 'share/man/man1/ringdown.1'), '.TH RINGDOWN 1\n');
    writeFileSync(join(tree, 'bin/ringdown'), '#!/bin/sh\n', { mode: 0o755 });
    const given = {
      tree,
      folder: join(parent, 'deb'),
      version: '1.0.0-rc.1',
      machine: 'arm64',
      file,
      compression: 'xz',
      time: 1_000_000_000,
    };
    const code = `import { packDeb } from '${pathToFileURL(join(ROOT, 'scripts/package/deb.mjs')).href}'; packDeb(${JSON.stringify(given)});`;
    const line = `umask ${umask}; exec "$0" --input-type=module --eval "$1"`;
    const { status, stderr } = spawnSync('sh', ['-c', line, process.execPath, code], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }

  function dpkgDeb(...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync('dpkg-deb', [...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  }

  it('has the version as Debian writes it, nothing to fill in, and what it needs', () => {
    make('0022');
    const control = dpkgDeb('--field', file);
    expect(control).toMatch(/^Package: ringdown\nVersion: 1\.0\.0~rc\.1\nArchitecture: arm64\n/);
    expect(control).toMatch(/^Installed-Size: \d+$/m);
    expect(control).not.toContain('@V');
    expect(control).toMatch(/^Depends: libc6 \(>= 2\.34\), /m);
  });

  it('has files of root with the modes of a system, whatever the umask was', () => {
    const lines = dpkgDeb('--contents', file)
      .split('\n')
      .filter((line) => line !== '');
    expect(lines.filter((line) => !/ root\/root /.test(line))).toEqual([]);
    const modes = new Map(lines.map((line) => [line.split(/\s+/).at(-1) ?? '', line.split(' ')[0]]));
    expect(modes.get('./usr/lib/ringdown/bin/ringdown')).toBe('-rwxr-xr-x');
    expect(modes.get('./etc/ringdown/ringdown.env')).toBe('-rw-r-----');
    expect(modes.get('./usr/lib/systemd/system/ringdown.service')).toBe('-rw-r--r--');
    expect(lines.join('\n')).toContain('./usr/bin/ringdown -> ../lib/ringdown/bin/ringdown');
    expect(modes.get('./usr/share/man/man1/ringdown.1.gz')).toBe('-rw-r--r--');
  });

  it('says that it is one, and lists the sums of its files but for the settings', () => {
    const unpacked = join(folder, 'unpacked');
    dpkgDeb('--raw-extract', file, unpacked);
    expect(JSON.parse(readFileSync(join(unpacked, 'usr/lib/ringdown/install.json'), 'utf8'))).toEqual({
      kind: 'deb',
      envFile: '/etc/ringdown/ringdown.env',
      dataDir: '/var/lib/ringdown',
      backups: '/var/backups/ringdown',
      cache: '/var/cache/ringdown',
    });
    const { status, stdout } = spawnSync('md5sum', ['--check', 'DEBIAN/md5sums'], { cwd: unpacked, encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stdout).toContain('usr/lib/ringdown/install.json: OK');
    expect(stdout).not.toContain('etc/');
    expect(readFileSync(join(unpacked, 'DEBIAN/conffiles'), 'utf8')).toBe('/etc/ringdown/ringdown.env\n');
    expect(existsSync(join(unpacked, 'DEBIAN/postinst'))).toBe(true);
    expect(statSync(join(unpacked, 'DEBIAN/postinst')).mode & 0o777).toBe(0o755);
  });

  it('depends on the content alone', () => {
    const before = readFileSync(file);
    make('0077');
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});
