// `npm run demo`: two made-up front ends post a day of calls to a running system; then it prints what to try next.
//   npm run demo -- --to http://collector:8080 --duration 20 --seed 7
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fail, loadEnvFile, node24, quietly, root } from './prepare.mjs';

const DEFAULT_COLLECTOR = 'http://localhost:8080';

loadEnvFile();

const given = process.argv.slice(2);
const names = (option) => given.some((argument) => argument === option || argument.startsWith(`${option}=`));
const args = ['demo', ...given];
if (!names('--to')) args.push('--to', process.env.COLLECTOR_URL || collectorOfThisMachine());

// Only `npm start` installs packages: a demo must not change the packages of a running system.
if (!existsSync(node24)) fail('the packages are not installed; run "npm start" first, or "npm ci"');
quietly('the build', node24, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', join(root, 'apps/sender')]);

const program = join(root, 'apps', 'sender', 'dist', 'src', 'main.js');
const child = spawn(node24, ['--enable-source-maps', program, ...args], { cwd: root, stdio: 'inherit' });
// The terminal signals the whole process group; we wait until the sender has printed its summary.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  if (code === 0 && !['--json', '--help', '-h'].some(names)) process.stdout.write(whatNext());
  process.exit(code ?? 1);
});

function collectorOfThisMachine() {
  const port = process.env.COLLECTOR_PORT;
  return port ? `http://localhost:${port}` : DEFAULT_COLLECTOR;
}

/** Commands that work unchanged on the machine that runs `npm start`; no password is shown. */
function whatNext() {
  const data = resolve(root, process.env.DATA_DIR || 'data');
  const users = join(data, 'first-users.json');
  const origin = `https://localhost:${process.env.PORT || 8443}`;
  if (!existsSync(users)) {
    return `\nThe calls are at /api/calls of the web interface, for a user with the role "operator".\n`;
  }
  const certificate = join(data, 'tls', 'cert.pem');
  const curl = `curl -s${existsSync(certificate) ? ` --cacert ${fileArgument(certificate)}` : ''}`;
  const read = 'JSON.parse(fs.readFileSync(0))';
  const request = (path, curlHere = curl) => `${curlHere} -H "Authorization: Bearer $TOKEN" '${origin}/api${path}'`;
  return `
Query the calls as an operator: first get a token, then the newest calls, the bad ones, the one whose end was lost, the
front ends, and every change as it happens (run the demo again at the same time):

  TOKEN=$(node -p '(u => new URLSearchParams({grant_type: "password", Username: u.username, password: u.password}))(
    ${read}.find(u => u.roles.includes("operator"))).toString()' < ${fileArgument(users)} |
    ${curl} -d @- ${origin}/uc/token | node -p '${read}.access_token')

  ${request('/calls?limit=5')}
  ${request('/calls?verdict=bad')}
  ${request('/calls?state=active')}
  ${request('/front-ends')}
  ${request('/calls/stream', `${curl} -N`)}
`;
}

/** Relative if the file is below the current folder. */
function fileArgument(path) {
  const short = relative(process.cwd(), path);
  return quoted(short.startsWith('..') ? path : short);
}

function quoted(path) {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
