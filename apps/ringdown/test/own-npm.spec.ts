import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const SCRIPTS = ['run.cjs', 'launch.cjs', 'packages.cjs', 'own-npm.cjs'];
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { version: string }>;
};
const ourNode = packages['node_modules/node']?.version;

/** An npm that writes down its arguments, and creates the files that the next step needs. No network. */
const npm = (versions: string, failure: string): string => `#!/bin/sh
echo "$RINGDOWN_TEST_NPM npm $*" >> "$RINGDOWN_TEST_LOG"
case "$1" in
version) echo '${versions}' ;;
install)
  ${failure}
  mkdir -p "$3/node_modules/.bin" "$3/node_modules/node" "$3/node_modules/npm"
  echo "\${9#*64@}" | sed 's/.*/{"version":"&"}/' > "$3/node_modules/node/package.json"
  echo "\${10#npm@}" | sed 's/.*/{"version":"&"}/' > "$3/node_modules/npm/package.json"
  { echo '#!/bin/sh'; echo 'echo "own npm $*" >> "$RINGDOWN_TEST_LOG"'; tail -n +3 "$0"; } > "$3/node_modules/.bin/npm"
  chmod +x "$3/node_modules/.bin/npm" ;;
ci) mkdir -p node_modules/node/bin && ln -sf '${process.execPath}' node_modules/node/bin/node ;;
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
  const getsOwn = (): string =>
    `the machine's npm install --prefix ${tools()} --no-audit --no-fund --ignore-scripts ` +
    '--fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000 ' +
    `node@npm:node-${process.platform}-${process.arch}@${ourNode} npm@11.19.1`;

  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'ringdown-own-npm-'));
    for (const name of SCRIPTS) cpSync(join(root, 'scripts', name), join(clone, 'scripts', name));
    cpSync(join(root, 'package-lock.json'), join(clone, 'package-lock.json'));
    writeFileSync(join(clone, 'scripts', 'hello.mjs'), "process.stdout.write('hello\\n');");
    mkdirSync(join(clone, 'bin'));
  });
  afterEach(() => rmSync(clone, { recursive: true }));

  function run(machine: Machine | undefined): { status: number | null; stdout: string; stderr: string } {
    const programs = join(clone, 'bin');
    if (machine !== undefined) {
      const versions = JSON.stringify({ ringdown: '0.1.0', node: machine.node, npm: machine.npm });
      writeFileSync(join(programs, 'npm'), npm(versions, machine.failure ?? ''), { mode: 0o755 });
    }
    writeFileSync(log(), '');
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(clone, 'scripts', 'run.cjs'), 'hello'], {
      cwd: clone,
      encoding: 'utf8',
      env: {
        PATH: machine === undefined ? programs : `${programs}:/usr/bin:/bin`,
        RINGDOWN_TEST_LOG: log(),
        RINGDOWN_TEST_NPM: "the machine's",
      },
    });
    return { status, stdout, stderr };
  }

  const calls = (): string[] => readFileSync(log(), 'utf8').trim().split('\n');

  it.each([
    { node: '24.0.0', npm: '11.3.0' },
    { node: '22.12.0', npm: '9.3.0' },
    { node: '20.19.0', npm: '10.8.2' },
  ])('installs the packages with Node $node and npm $npm of the machine', (machine) => {
    expect(run(machine)).toMatchObject({ status: 0, stdout: 'hello\n' });
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
  ])('gets its own Node and npm where the machine has Node $node and npm $npm', ({ reason, ...machine }) => {
    const { status, stdout, stderr } = run(machine);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'hello\n' });
    expect(stderr).toContain(`Downloading Node ${ourNode} and npm 11.19.1 for this folder only (`);
    expect(stderr).toContain(`${reason}) …\n`);
    expect(calls()).toEqual(["the machine's npm version --json", getsOwn(), 'own npm ci --no-audit --no-fund']);
  });

  it('gets its own once, also when the packages are installed again', () => {
    const machine = { node: '18.20.4', npm: '9.2.0' };
    run(machine);
    rmSync(join(clone, 'node_modules'), { recursive: true });
    expect(run(machine)).toMatchObject({ status: 0, stdout: 'hello\n' });
    expect(calls()).toEqual(["the machine's npm version --json", 'own npm ci --no-audit --no-fund']);
  });

  it('reports in one line why it could not get its own', () => {
    const request = 'request to https://registry.example.test/npm failed, reason: getaddrinfo EAI_AGAIN';
    const failure = `printf 'npm ERR! code EAI_AGAIN\\nnpm ERR! syscall getaddrinfo\\nnpm ERR! ${request}\\n' >&2; exit 1`;
    const { status, stderr } = run({ node: '18.20.4', npm: '9.2.0', failure });
    expect(status).toBe(1);
    const failed = `Node ${ourNode} and npm 11.19.1 could not be downloaded instead: ${request}`;
    expect(stderr.split('\n').slice(2)).toEqual([`ringdown: npm 9.2.0 is older than 9.3.0; ${failed}`, '']);
    expect(calls()).toHaveLength(2);
  });

  it('reports in one line that npm is missing', () => {
    const { status, stderr } = run(undefined);
    expect(status).toBe(1);
    expect(stderr.split('\n').slice(1)).toEqual(['ringdown: npm is missing; Debian: apt-get install npm', '']);
  });
});
