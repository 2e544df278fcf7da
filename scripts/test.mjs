// `npm test`: types, lint, format, unit, integration and black-box tests. Ends with "N passed, N failed".
// RINGDOWN_TEST_ALL=1 (what CI sets) leaves nothing out: it also gets a Docker engine where none answers.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  ensureBuilt,
  ensureChromium,
  ensureInstalled,
  ensureNatsServer,
  ensureSipPlatform,
  ensureSlapd,
  fail,
  node24,
  root,
  say,
} from './prepare.mjs';

const all = process.env.RINGDOWN_TEST_ALL === '1';
const work = mkdtempSync(join(tmpdir(), 'ringdown-test-'));
let passed = 0;
let failed = 0;
/** So many files of a run are run again when they fail; more of them is no matter of chance. */
const MOST_AGAIN = 3;
/** Test files that failed and passed when run again. */
const unsteady = [];

const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
  NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
};

function headline(text) {
  say(`\n== ${text}`);
}

/** A check that is no jest run counts as one test. */
function check(name, command, args, options = {}) {
  headline(name);
  const { status } = spawnSync(command, args, { cwd: root, env, stdio: ['ignore', 2, 2], ...options });
  if (status === 0) passed++;
  else failed++;
  return status === 0;
}

/**
 * Runs the test files whose compiled path matches, and counts their tests; a run that finds none has failed. In CI a few
 * files that fail are run again, alone, and named at the end (docs/adr/0029). Resolves when all has ended. With `apart`,
 * what it says is shown in one piece then, for runs that go on beside others.
 */
async function jest(name, pattern, extra = {}) {
  const files = await jestFiles(name, ['--testPathPatterns', pattern], extra);
  const broken = [...files.values()].filter(({ status }) => status === 'failed').map((file) => file.name);
  if (all && broken.length > 0 && broken.length <= MOST_AGAIN) {
    const again = await jestFiles(`${name}: again what failed`, ['--runTestsByPath', ...broken], extra);
    for (const [path, file] of again) {
      if (file.status === 'passed') unsteady.push(`${relative(root, path)} (${name})`);
      files.set(path, file);
    }
  }
  let found = 0;
  for (const { status, assertionResults } of files.values()) {
    const right = assertionResults.filter((test) => test.status === 'passed').length;
    found += assertionResults.length;
    passed += right;
    // What is left out or still to do counts as failed, and so does a file that breaks outside of its tests.
    failed += Math.max(assertionResults.length - right, status === 'failed' ? 1 : 0);
  }
  if (found === 0) failed++;
}

/** What one run of jest says of each test file, by its path; nothing where it ended without a report. */
async function jestFiles(name, selection, { workers, apart, env: settings }) {
  if (!apart) headline(name);
  const report = join(mkdtempSync(join(work, 'run-')), 'report.json');
  const args = [
    join(root, 'node_modules/jest/bin/jest.js'),
    '--json',
    // Once in a while Node goes round in its own clean-up for ever, after all is done, where tests have run threads.
    '--forceExit',
    `--outputFile=${report}`,
    ...(workers ? [`--maxWorkers=${workers}`] : []),
    ...selection,
  ];
  const stdio = ['ignore', 'ignore', apart ? 'pipe' : 2];
  const run = spawn(node24, args, { cwd: root, env: { ...env, ...settings }, stdio });
  const [said] = await Promise.all([apart ? text(run.stderr) : '', once(run, 'close')]);
  if (apart) {
    headline(name);
    process.stderr.write(said);
  }
  try {
    return new Map(JSON.parse(readFileSync(report, 'utf8')).testResults.map((file) => [file.name, file]));
  } catch (error) {
    say(`no report of this run: ${error.message}`);
    return new Map();
  }
}

/** Below the ports that the system gives to outgoing connections, so that none of those takes it meanwhile. */
async function freePort() {
  for (;;) {
    const port = 16_384 + Math.floor(Math.random() * 16_384);
    const free = await new Promise((resolve) => {
      const server = createServer().listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
      server.on('error', () => resolve(false));
    });
    if (free) return port;
  }
}

/** The black-box suite against the one-process system, started the way `npm start` starts it. */
async function embedded(profile) {
  const [web, feed, inner] = [await freePort(), await freePort(), await freePort()];
  const data = join(work, `data-${profile}`);
  const settings = {
    PORT: web,
    COLLECTOR_PORT: feed,
    INNER_PORT: inner,
    DATA_DIR: data,
    LISTEN_HOST: '127.0.0.1',
    VENDOR_PROFILE: profile,
    // A bus that is slow, because the machine is busy, is none that is away.
    COLLECTOR_STORE_MS: 60_000,
  };
  const program = join(root, 'apps/ringdown/dist/src/main.js');
  const child = spawn(node24, [program], { cwd: root, env: { ...env, ...settings }, stdio: ['ignore', 'pipe', 2] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const up = await Promise.race([
    new Promise((resolve) => child.stdout.on('data', (chunk) => String(chunk).includes('is running') && resolve(true))),
    ended.then(() => false),
  ]);
  if (up) {
    await jest(`conformance of the embedded system, profile ${profile}`, 'tests/conformance/dist/test/(?!senders)', {
      workers: 1,
      apart: true,
      env: {
        RINGDOWN_WEB_URL: `https://localhost:${web}`,
        RINGDOWN_COLLECTOR_URL: `http://127.0.0.1:${feed}`,
        RINGDOWN_CA_FILE: join(data, 'tls', 'cert.pem'),
        RINGDOWN_USERS_FILE: join(data, 'first-users.json'),
        RINGDOWN_PROFILE: profile,
      },
    });
  }
  child.kill('SIGTERM');
  const code = await ended;
  if (up && code === 0) passed++;
  else failed++;
  say(`the embedded system, profile ${profile}, ${up ? `stopped with exit code ${code}` : 'did not start'}`);
}

/** A settings file of the form NAME=value, as an environment. */
function settingsOf(text) {
  const lines = text.split('\n').filter((line) => /^[A-Z_]+=/.test(line));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

function dockerAnswers() {
  return spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

/** The integration suite on containers, then the compose file with the black-box suite against it. */
async function containers() {
  const ci = join(root, 'deploy', 'ci');
  if (all && !check('Docker engine', join(ci, 'ensure-docker.sh'), [])) return;
  if (!dockerAnswers()) {
    say('\nNo Docker engine answers: the container tests are left out. RINGDOWN_TEST_ALL=1 npm test sets one up.');
    return;
  }
  // Where no registry can be reached, stand-ins made from Debian's packages take the places of the public images.
  const standIns = all || process.env.RINGDOWN_STAND_INS === '1';
  if (standIns && !check('base images', join(ci, 'make-base-images.sh'), [])) return;
  const images = standIns ? settingsOf(readFileSync(join(ci, 'images.env'), 'utf8')) : {};
  // What is about the servers themselves: bus, database, directory. The rest has been run, and would learn nothing new;
  // of the faults, only what a full disk does to PostgreSQL itself. A bus that comes back shorter (`shorter-`) is left out, as
  // its files are changed from here, and so it is a process of this machine there, too.
  await jest(
    'integration tests on containers',
    '(apps/aggregator|libs/(?!embedded)[^/]+)/dist/test/(?!faults/(kills|outages|clocks|shorter)|shorter-|poison-)',
    {
      workers: 2,
      env: {
        ...images,
        RINGDOWN_TEST_ON: 'containers',
        RINGDOWN_TEST_RUN: basename(work),
        // It would be one more image to get; what tests leave behind is removed here.
        TESTCONTAINERS_RYUK_DISABLED: 'true',
      },
    },
  );
  removeContainers();
  await composed({ ...env, ...images, ...(standIns ? {} : { RINGDOWN_BASE_IMAGES: 'public' }) });
}

function removeContainers() {
  const filter = `label=ringdown-test=${basename(work)}`;
  const { stdout } = spawnSync('docker', ['ps', '--all', '--quiet', '--filter', filter], { encoding: 'utf8' });
  const left = stdout.split('\n').filter((id) => id !== '');
  if (left.length === 0) return;
  say(`removing ${left.length} container(s) that tests have left behind`);
  spawnSync('docker', ['rm', '--force', '--volumes', ...left], { stdio: ['ignore', 'ignore', 2] });
}

/** The compose file brought up with three collectors and two aggregators, walked by the black-box suite, and taken down again. */
async function composed(composeEnv) {
  headline('compose');
  const compose = join(root, 'deploy', 'ci', 'compose.sh');
  const options = {
    cwd: root,
    env: { ...composeEnv, COLLECTOR_REPLICAS: '3', AGGREGATOR_REPLICAS: '2' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
  };
  const up = spawnSync(compose, ['up'], options);
  if (up.status === 0) {
    passed++;
    const found = JSON.parse(up.stdout);
    await jest('conformance of the compose system', 'tests/conformance/dist/test/', {
      workers: 1,
      env: {
        RINGDOWN_WEB_URL: found.origin,
        RINGDOWN_COLLECTOR_URL: found.collector,
        RINGDOWN_CA_FILE: found.caFile,
        RINGDOWN_USERS_FILE: found.firstUsersFile,
        RINGDOWN_PROFILE: 'default',
        RINGDOWN_SENDERS: found.senders,
      },
    });
  } else {
    failed++;
  }
  check('compose: down', compose, ['down'], { env: composeEnv });
}

ensureInstalled();
headline('types');
ensureBuilt();
passed++;
if (!process.env.NATS_URL) ensureNatsServer();
ensureSlapd();
ensureSipPlatform();
ensureChromium();
check('lint', join(root, 'node_modules/.bin/oxlint'), ['--type-aware', '--deny-warnings']);
check('manifests', node24, [join(root, 'scripts/check-manifests.mjs')]);
check('regular expressions', node24, [join(root, 'scripts/check-expressions.mjs')]);
check('format', join(root, 'node_modules/.bin/prettier'), ['--check', '--log-level', 'warn', '.']);
await jest('unit tests', '(apps|libs|tests)/[^/]+/dist/src/');
await jest('integration tests on processes', '(apps|libs)/[^/]+/dist/test/', { workers: 2 });
await jest('attacks', 'tests/attacks/dist/test/', { workers: 2 });
// One test at a time in each: two systems side by side are what two workers are above.
headline('black box: the embedded system under two profiles');
await Promise.all([embedded('default'), embedded('ms')]);
await containers();

rmSync(work, { recursive: true, force: true });
if (unsteady.length > 0) say(`\nfailed at first, passed when run again:\n  ${unsteady.join('\n  ')}`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
if (failed > 0) process.exitCode = 1;
if (passed === 0) fail('no test ran');
