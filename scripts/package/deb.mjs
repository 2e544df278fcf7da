// The Debian package, of the folder that the tarball consists of and of deploy/debian. dpkg-deb makes it, which every Debian has (docs/adr/0100).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { quietly, root } from '../packages.cjs';
import { writeInstallation } from './tree.mjs';

const SOURCES = join(root, 'deploy', 'debian');
const PROGRAM = 'usr/lib/ringdown';
/** What is copied as it is, by its place in the package. */
const FILES = {
  'usr/lib/systemd/system/ringdown.service': 'ringdown.service',
  'usr/lib/sysusers.d/ringdown.conf': 'ringdown.sysusers',
  'usr/lib/tmpfiles.d/ringdown.conf': 'ringdown.tmpfiles',
  'usr/share/doc/ringdown/copyright': 'copyright',
  'etc/ringdown/ringdown.env': 'ringdown.env',
};
const SCRIPTS = ['postinst', 'prerm', 'postrm'];
const MANUAL_PAGE = 'share/man/man1/ringdown.1';
/** As tarball.mjs names compressions. */
const COMPRESSIONS = { xz: '-Zxz', gzip: '-Zgzip', none: '-Znone' };

/** What comes before a release is older than it: `1.0.0-rc.1` is `1.0.0~rc.1` there. */
export function debianVersion(version) {
  return version.replace('-', '~');
}

export function debFileName(version, machine) {
  return `ringdown_${debianVersion(version)}_${machine}.deb`;
}

/** Says what is missing; undefined where a package can be made. */
export function whyNoDeb() {
  return spawnSync('dpkg-deb', ['--version']).status === 0 ? undefined : 'dpkg-deb is missing (Debian: package dpkg)';
}

/** Makes it of the folder of `makeTree`, which becomes a part of `folder`. */
export function packDeb({ tree, folder, version, machine, file, compression, time }) {
  const program = join(folder, PROGRAM);
  mkdirSync(dirname(program), { recursive: true });
  renameSync(tree, program);
  writeInstallation(program, 'deb');
  const page = join(folder, 'usr', `${MANUAL_PAGE}.gz`);
  mkdirSync(dirname(page), { recursive: true });
  // Without the time: the same bytes of the same text.
  writeFileSync(page, gzipSync(readFileSync(join(program, MANUAL_PAGE)), { level: 9 }));
  for (const [path, source] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(SOURCES, source), join(folder, path));
  }
  mkdirSync(join(folder, 'usr/bin'));
  symlinkSync('../lib/ringdown/bin/ringdown', join(folder, 'usr/bin/ringdown'));
  writeControl(folder, { version, machine });
  quietly('chmod', 'chmod', ['-R', 'u+rwX,go+rX,go-w', folder]);
  // The group of the service gets it when it is installed.
  chmodSync(join(folder, 'etc/ringdown/ringdown.env'), 0o640);
  const args = ['--root-owner-group', '--threads-max=2', COMPRESSIONS[compression], '--build', folder, file];
  quietly('dpkg-deb', 'dpkg-deb', args, { env: { ...process.env, SOURCE_DATE_EPOCH: String(time) } });
}

function writeControl(folder, { version, machine }) {
  const files = globSync('**/*', { cwd: folder })
    .filter((name) => lstatSync(join(folder, name)).isFile())
    .toSorted();
  const kilobytes = files.reduce((sum, name) => sum + Math.ceil(lstatSync(join(folder, name)).size / 1_024), 0);
  const conffiles = readFileSync(join(SOURCES, 'conffiles'), 'utf8');
  const control = readFileSync(join(SOURCES, 'control.in'), 'utf8')
    .replace('@VERSION@', debianVersion(version))
    .replace('@ARCHITECTURE@', machine)
    .replace('@INSTALLED_SIZE@', String(kilobytes));
  const sums = files
    .filter((name) => !conffiles.split('\n').includes(`/${name}`))
    .map((name) => `${md5(join(folder, name))}  ${name}\n`);
  mkdirSync(join(folder, 'DEBIAN'));
  writeFileSync(join(folder, 'DEBIAN/control'), control);
  writeFileSync(join(folder, 'DEBIAN/conffiles'), conffiles);
  // What `dpkg --verify` compares; dpkg has no other digest.
  writeFileSync(join(folder, 'DEBIAN/md5sums'), sums.join(''));
  for (const script of SCRIPTS) {
    cpSync(join(SOURCES, script), join(folder, 'DEBIAN', script));
    chmodSync(join(folder, 'DEBIAN', script), 0o755);
  }
}

function md5(file) {
  return createHash('md5').update(readFileSync(file)).digest('hex');
}
