// Servers, phones and a browser from Debian's packages, which the tests and some commands for contributors use; a system that runs needs none of them.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, print } from './packages.cjs';

const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/**
 * By the name of the program. `needs`: for whom; without it, the tests do without the program, or leave out what needs it. `package`: of
 * Debian, if it has another name; `settings`: for debconf, where a package starts something by itself.
 */
const PROGRAMS = {
  slapd: {
    needs: 'the tests of the LDAP directory need a real one',
    settings: 'slapd slapd/no_configuration boolean true',
  },
  kamailio: { needs: 'the tests of the sender need a real SIP proxy' },
  rtpengine: { package: 'rtpengine-daemon', needs: 'the tests of the sender with phones need a real media relay' },
  sipp: { package: 'sip-tester', needs: 'the tests of the sender need real SIP phones' },
  baresip: { package: 'baresip-core', needs: 'the tests of the sender with phones need real ones' },
  ip: { package: 'iproute2', needs: 'the phones of the tests have networks of their own' },
  iptables: { needs: 'the phones of the tests are behind NAT and lose packets' },
  pgbouncer: { needs: 'the tests of the database need a real pooler' },
  haproxy: { needs: 'the tests of the balancer in front of the collectors need a real one' },
  caddy: { needs: 'the tests of the edge in front of the services need a real one' },
  pebble: { needs: 'the tests of certificates need a real authority, with its pebble-challtestsrv' },
  'systemd-analyze': { package: 'systemd', needs: 'the test of the unit of the sender reads it as systemd does' },
  tshark: { needs: 'the tests of the reader of captures compare it with tshark' },
  'prometheus-alertmanager': { needs: 'the tests of alerts need a real one' },
  aiosmtpd: { package: 'python3-aiosmtpd', needs: 'the tests of e-mail about alerts need a real mail server' },
  chromium: { needs: 'the tests of the console need a real browser' },
  // Takes less processor time (apps/console/test/launch-chromium.ts).
  'chromium-headless-shell': {},
  // Makes the smallest Debian, for the tests of packages.
  debootstrap: {},
  // A registry, and what asks registries, for the tests of images.
  'docker-registry': {},
  skopeo: {},
};

export function isProgramThere(name, ...more) {
  const folders = [...(process.env.PATH ?? '').split(':'), ...SERVER_FOLDERS, ...more];
  return folders.some((folder) => existsSync(join(folder, name)));
}

/** All that the tests need. At once, before tests that use apt themselves: each time costs seconds. */
export function ensureTestServers() {
  ensurePrograms(Object.keys(PROGRAMS));
}

/** Proxy, media relay, phones, and what makes networks for them. */
export function ensureSipPlatforms() {
  ensurePrograms(['kamailio', 'rtpengine', 'sipp', 'baresip', 'ip', 'iptables']);
}

/** What opens the console in tests. */
export function ensureChromium() {
  ensurePrograms(['chromium']);
}

/** A system that uses a directory server brings its own. */
export function ensureSlapd() {
  ensurePrograms(['slapd']);
}

export function isDebootstrapThere() {
  return areThere(['debootstrap']);
}

export function isRegistryThere() {
  return areThere(['docker-registry', 'skopeo']);
}

/** From the PATH, or else from Debian's packages where this user may install them. Ends with what is missing. */
function ensurePrograms(names) {
  if (areThere(names)) return;
  for (const name of names) {
    const { needs, package: packageName = name } = PROGRAMS[name];
    if (needs === undefined || isProgramThere(name)) continue;
    fail(
      `${name} is missing. Do one of these: install it (Debian: apt-get install ${packageName}), or put its binary on the PATH; ${needs}`,
    );
  }
}

/** Installs what is missing where this user may. */
function areThere(names) {
  const missing = names.filter((name) => !isProgramThere(name));
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) install(missing);
  return missing.every((name) => isProgramThere(name));
}

function install(names) {
  print(`Installing ${names.join(', ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const packages = names.map((name) => PROGRAMS[name].package ?? name);
  const input = names.flatMap((name) => PROGRAMS[name].settings ?? []).join('\n');
  spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
  if (input !== '') spawnSync('debconf-set-selections', [], { env, input });
  const apt = (...wanted) =>
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...wanted], { env }).status === 0;
  withoutStartingServices(() => {
    // A package that this Debian does not have keeps apt from installing the others.
    if (!apt(...packages)) for (const each of packages) apt(each);
  });
}

const SERVICE_POLICY = '/usr/sbin/policy-rc.d';

/** Debian's packages ask this program whether they may start what they have installed. */
function withoutStartingServices(work) {
  if (existsSync(SERVICE_POLICY)) return work();
  writeFileSync(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return work();
  } finally {
    rmSync(SERVICE_POLICY);
  }
}
