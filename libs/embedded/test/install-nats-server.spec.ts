import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureNatsServer } from '../src/ensure-nats-server.js';
import { installNatsServer } from '../src/install-nats-server.js';

const folder = mkdtempSync(join(tmpdir(), 'ringdown-mirror-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The real apt-get with a mirror of Debian that is a folder without any signature. */
function unsignedMirror(): string {
  const mirror = join(folder, 'mirror');
  const packages = join(mirror, 'dists', 'trixie', 'main', 'binary-amd64');
  mkdirSync(packages, { recursive: true });
  writeFileSync(join(mirror, 'dists', 'trixie', 'Release'), 'Suite: trixie\n');
  writeFileSync(join(packages, 'Packages'), '');
  const codename = '$(. /etc/os-release && echo "$VERSION_CODENAME")';
  const script = `#!/bin/sh
if [ "$1" = indextargets ]; then echo "file:${mirror} ${codename} main"; else exec /usr/bin/apt-get "$@"; fi
`;
  const aptGet = join(folder, 'apt-get');
  writeFileSync(aptGet, script, { mode: 0o755 });
  return aptGet;
}

describe('nats-server from Debian', () => {
  it('is not installed from a mirror without the signature of Debian', async () => {
    const home = join(folder, 'home');
    await expect(installNatsServer(home, unsignedMirror())).rejects.toThrow('is not signed');
    expect(existsSync(join(home, 'nats-server'))).toBe(false);
  });
});

describe('a machine with only nats-server 2.9', () => {
  const programs = mkdtempSync(join(folder, 'programs-'));
  writeFileSync(join(programs, 'nats-server'), '#!/bin/sh\necho "nats-server: v2.9.10"\n', { mode: 0o755 });
  const aptGet = join(programs, 'apt-get');
  writeFileSync(aptGet, '#!/bin/sh\necho "$1" >>"$0.log"\necho "E: no mirror answers" >&2\nexit 100\n', {
    mode: 0o755,
  });
  const machine = { folders: [programs], install: () => installNatsServer(join(folder, 'none'), aptGet) };

  it('is rejected with the reason and a solution when apt-get fails', async () => {
    await expect(ensureNatsServer(machine)).rejects.toThrow(
      /^nats-server 2\.10 or later is missing and could not be installed \(.+\)\. .*ALLOW_OLD_NATS_SERVER=on/s,
    );
  });

  it('is accepted without a download when that is allowed', async () => {
    const log = `${aptGet}.log`;
    rmSync(log, { force: true });
    await expect(ensureNatsServer({ ...machine, allowOld: true })).resolves.toBeUndefined();
    expect(existsSync(log)).toBe(false);
  });
});
