import { findProgram } from '@ringdown/testing/find-program';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const SCRIPTS = ['run.cjs', 'launch.cjs', 'packages.cjs', 'own-npm.cjs'];
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

interface LockedPackage {
  readonly version: string;
  readonly integrity: string;
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const ourNode = packages[`node_modules/${NODE_PACKAGE}`];

/** An npm that writes down its arguments, and creates the files that the next step needs. No network. */
const npm = (versions: string, failure: string): string => `#!/bin/sh
echo "$RINGDOWN_TEST_NPM npm $*" >> "$RINGDOWN_TEST_LOG"
case "$1 $PWD" in
version*) echo '${versions}' ;;
ci*/.cache/tools)
  ${failure}
  mkdir -p node_modules/.bin node_modules/${NODE_PACKAGE} node_modules/npm
  echo '{"version":"${ourNode?.version}"}' > node_modules/${NODE_PACKAGE}/package.json
  echo '{"version":"11.19.1"}' > node_modules/npm/package.json
  { echo '#!/bin/sh'; echo 'echo "own npm $*" >> "$RINGDOWN_TEST_LOG"'; tail -n +3 "$0"; } > node_modules/.bin/npm
  chmod +x node_modules/.bin/npm ;;
ci*) mkdir -p node_modules/${NODE_PACKAGE}/bin && ln -sf '${process.execPath}' node_modules/${NODE_PACKAGE}/bin/node ;;
esac
`;

interface Machine {
  readonly node: string;
  readonly npm: string;
  /** Shell commands that replace an installation. */
  readonly failure?: string;
}

describe('the first command of a fresh clone', () => {
  let clone: string;
  const log = (): string => join(clone, 'log');
  const tools = (): string => join(clone, '.cache', 'tools');
  const GETS_OWN =
    "the machine's npm ci --no-audit --no-fund --ignore-scripts --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000";

  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'ringdown-own-npm-'));
    for (const name of SCRIPTS) cpSync(join(root, 'scripts', name), join(clone, 'scripts', name));
    cpSync(join(root, 'package-lock.json'), join(clone, 'package-lock.json'));
    writeFileSync(join(clone, 'scripts', 'hello.mjs'), "process.stdout.write('hello\\n');");
    mkdirSync(join(clone, 'bin'));
  });
  afterEach(() => rmSync(clone, { recursive: true }));

  async function run(machine: Machine | undefined): Promise<{ status: number | null; stdout: string; stderr: string }> {
    const programs = join(clone, 'bin');
    if (machine !== undefined) {
      const versions = JSON.stringify({ ringdown: '0.1.0', node: machine.node, npm: machine.npm });
      writeFileSync(join(programs, 'npm'), npm(versions, machine.failure ?? ''), { mode: 0o755 });
    }
    writeFileSync(log(), '');
    const child = spawn(process.execPath, [join(clone, 'scripts', 'run.cjs'), 'hello'], {
      cwd: clone,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: machine === undefined ? programs : `${programs}:/usr/bin:/bin`,
        RINGDOWN_TEST_LOG: log(),
        RINGDOWN_TEST_NPM: "the machine's",
      },
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { status: child.exitCode, stdout, stderr };
  }

  const calls = (): string[] => readFileSync(log(), 'utf8').trim().split('\n');

  it.each([
    { node: '24.0.0', npm: '11.3.0' },
    { node: '22.12.0', npm: '9.3.0' },
    { node: '20.19.0', npm: '10.8.2' },
  ])('installs the packages with Node $node and npm $npm of the machine', async (machine) => {
    expect(await run(machine)).toMatchObject({ status: 0, stdout: 'hello\n' });
    expect(calls()).toEqual(["the machine's npm version --json", "the machine's npm ci --no-audit --no-fund"]);
  });

  it.each([
    { node: '18.20.4', npm: '9.2.0', reason: 'npm 9.2.0 is older than 9.3.0' },
    { node: '20.19.2', npm: '9.2.0', reason: 'npm 9.2.0 is older than 9.3.0' },
    { node: '18.20.8', npm: '10.8.2', reason: 'needs Node ^20.19.0 || >=22.12.0, but this is Node 18.20.8' },
    // Each with the npm that it was released with.
    { node: '20.0.0', npm: '9.6.4', reason: 'needs Node ^20.19.0 || >=22.12.0, but this is Node 20.0.0' },
    { node: '20.10.0', npm: '10.2.3', reason: 'needs Node ^20.19.0 || >=22.12.0, but this is Node 20.10.0' },
    { node: '20.18.3', npm: '10.8.2', reason: 'needs Node ^20.19.0 || >=22.12.0, but this is Node 20.18.3' },
    { node: '22.11.0', npm: '10.9.0', reason: 'needs Node ^20.19.0 || >=22.12.0, but this is Node 22.11.0' },
  ])('gets its own Node and npm where the machine has Node $node and npm $npm', async ({ reason, ...machine }) => {
    const { status, stdout, stderr } = await run(machine);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'hello\n' });
    expect(stderr).toContain(`Downloading Node ${ourNode?.version} and npm 11.19.1 for this folder only (`);
    expect(stderr).toContain(`${reason}) …\n`);
    expect(calls()).toEqual(["the machine's npm version --json", GETS_OWN, 'own npm ci --no-audit --no-fund']);
  });

  it('gets its own once, also when the packages are installed again', async () => {
    const machine = { node: '18.20.4', npm: '9.2.0' };
    await run(machine);
    rmSync(join(clone, 'node_modules'), { recursive: true });
    expect(await run(machine)).toMatchObject({ status: 0, stdout: 'hello\n' });
    expect(calls()).toEqual(["the machine's npm version --json", 'own npm ci --no-audit --no-fund']);
  });

  it('reports in one line why it could not get its own', async () => {
    const request = 'request to https://registry.example.test/npm failed, reason: getaddrinfo EAI_AGAIN';
    const failure = `printf 'npm ERR! code EAI_AGAIN\\nnpm ERR! syscall getaddrinfo\\nnpm ERR! ${request}\\n' >&2; exit 1`;
    const { status, stderr } = await run({ node: '18.20.4', npm: '9.2.0', failure });
    expect(status).toBe(1);
    const failed = `Node ${ourNode?.version} and npm 11.19.1 could not be downloaded instead: ${request}`;
    expect(stderr.split('\n').slice(2)).toEqual([`ringdown: npm 9.2.0 is older than 9.3.0; ${failed}`, '']);
    expect(calls()).toHaveLength(2);
  });

  it('reports that npm ci has left out Node', async () => {
    const machine = { node: '24.0.0', npm: '11.3.0', failure: '' };
    writeFileSync(join(clone, 'bin', 'ln'), '#!/bin/sh\n', { mode: 0o755 });
    const { status, stderr } = await run(machine);
    expect(status).toBe(1);
    expect(stderr).toContain(`npm ci has not installed ${NODE_PACKAGE}`);
  });

  it('refuses a Node with another digest than that of the lock file', async () => {
    // A registry that offers this version with a content, and a digest, of its own.
    const server = createServer((request, response) => {
      const { port } = server.address() as AddressInfo;
      if (request.url?.endsWith('.tgz') === true) {
        response.end('not the package');
        return;
      }
      const name = request.url?.slice(1) ?? '';
      const version = name === 'npm' ? '11.19.1' : (ourNode?.version ?? '');
      const dist = { tarball: `http://127.0.0.1:${port}/${name}-${version}.tgz` };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name, 'dist-tags': {}, versions: { [version]: { name, version, dist } } }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const real = findProgram('npm', 'this test needs npm');
    // A cache of its own: npm would find the content of that digest in the usual one.
    const settings = `npm_config_registry=http://127.0.0.1:${port} npm_config_cache=${join(clone, 'cache')}`;
    const failure = `exec env PATH='${process.env['PATH']}' ${settings} '${real}' "$@"`;
    const { status, stderr } = await run({ node: '18.20.4', npm: '9.2.0', failure });
    server.close();
    expect(status).toBe(1);
    expect(stderr).toMatch(/could not be downloaded instead: .*integrity/i);
    expect(existsSync(join(tools(), 'node_modules'))).toBe(false);
  });

  it('reports in one line that npm is missing', async () => {
    const { status, stderr } = await run(undefined);
    expect(status).toBe(1);
    expect(stderr.split('\n').slice(1)).toEqual(['ringdown: npm is missing; Debian: apt-get install npm', '']);
  });
});
