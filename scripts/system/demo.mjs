// `npm run demo`: invented front ends post the calls of yesterday and today to a running system, and keep calls going until
// Ctrl-C; then it prints what to try next.
//   npm run demo -- --to http://collector:8080 --hours 4 --duration 60 --seed 7
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { ensurePrograms, fail, loadEnvFile, node24, programFile, root } from '../prepare.mjs';

/** The exit code after Ctrl-C, the usual end. */
const INTERRUPTED = 130;
const DEFAULT_COLLECTOR = 'http://localhost:8080';

loadEnvFile();

const given = process.argv.slice(2);
const names = (option) => given.some((argument) => argument === option || argument.startsWith(`${option}=`));
const args = [...given];
const data = resolve(root, process.env.DATA_DIR || 'data');
const users = join(data, 'first-users.json');
const certificate = join(data, 'tls', 'cert.pem');
const origin = `https://localhost:${process.env.PORT || 8443}`;
if (!names('--to')) {
  args.push('--to', process.env.COLLECTOR_URL || collectorOfThisMachine());
  // The system of this machine also gets the alert rules of the demo.
  if (!process.env.COLLECTOR_URL && existsSync(users)) args.push('--origin', origin, '--users', users);
}

// Only `npm start` installs packages: a demo must not change the packages of a running system.
if (!existsSync(node24)) fail('the packages are not installed; run "npm start" first, or "npm ci"');
ensurePrograms();

const { loadProfile } = await import('../../libs/vendor-profile/dist/src/index.js');
const trust = existsSync(certificate) ? { NODE_EXTRA_CA_CERTS: certificate } : {};
const env = { ...process.env, ...trust };
const child = spawn(node24, [programFile('demo/main'), ...args], { cwd: root, stdio: 'inherit', env });
// The terminal signals the whole process group; we wait until the demo has printed its summary.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  if ([0, INTERRUPTED].includes(code) && !['--json', '--help', '-h'].some(names)) process.stdout.write(whatNext());
  process.exit(code ?? 1);
});

function collectorOfThisMachine() {
  const port = process.env.COLLECTOR_PORT;
  return port ? `http://localhost:${port}` : DEFAULT_COLLECTOR;
}

/** Commands that work unchanged on the machine that runs `npm start`; no password is shown. */
function whatNext() {
  if (!existsSync(users)) {
    return `\nThe calls are at /api/calls of the web interface, for a user with the role "operator".\n`;
  }
  const curl = `curl -s${existsSync(certificate) ? ` --cacert ${fileArgument(certificate)}` : ''}`;
  const read = 'JSON.parse(fs.readFileSync(0))';
  const request = (path, curlHere = curl) => `${curlHere} -H "Authorization: Bearer $TOKEN" '${origin}/api${path}'`;
  return `
The calls are in the console: ${origin}/console/
Query them as an operator: first get a token, then the newest calls, the bad ones, those in progress, the front ends, and
every change as it happens (while the demo runs again):

  TOKEN=$(node -p '(u => new URLSearchParams({grant_type: "password", Username: u.username, password: u.password}))(
    ${read}.find(u => u.roles.includes("operator"))).toString()' < ${fileArgument(users)} |
    ${curl} -d @- ${origin}${tokenPath()} | node -p '${read}.access_token')

  ${request('/calls?limit=5')}
  ${request('/calls?verdict=bad')}
  ${request('/calls?state=active')}
  ${request('/front-ends')}
  ${request('/calls/stream', `${curl} -N`)}
`;
}

function tokenPath() {
  return loadProfile(process.env.VENDOR_PROFILE || 'default').web.paths.token[0];
}

/** Relative if the file is below the current folder. */
function fileArgument(path) {
  const short = relative(process.cwd(), path);
  return quoted(short.startsWith('..') ? path : short);
}

function quoted(path) {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
