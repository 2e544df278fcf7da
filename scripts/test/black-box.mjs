// `npm run nx -- black-box`: the conformance suite against the one-process system under two profiles, started the way
// `npm start` starts it; `npm run nx -- run ringdown:conformance` under one.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, ensureTestBus, node24, programFile, root, print } from '../prepare.mjs';
import { runJest } from './jest-run.mjs';
import { headline, runKind, testEnv } from './tally.mjs';

async function walkEmbedded(tally, folder, profile) {
  const { freePort } = await import(pathToFileURL(join(root, 'libs/embedded/dist/src/free-port.js')).href);
  const [web, feed, inner] = [await freePort(), await freePort(), await freePort()];
  const data = join(folder, `data-${profile}`);
  const settings = {
    PORT: web,
    COLLECTOR_PORT: feed,
    INNER_PORT: inner,
    DATA_DIR: data,
    LISTEN_HOST: '127.0.0.1',
    VENDOR_PROFILE: profile,
    // A bus that is slow because the machine is busy must not count as one that is away.
    COLLECTOR_STORE_MS: 60_000,
  };
  const program = programFile('ringdown/main');
  const env = { ...testEnv, ...settings };
  const child = spawn(node24, [program], { cwd: root, env, stdio: ['ignore', 'pipe', 2] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const up = await Promise.race([
    new Promise((resolve) => child.stdout.on('data', (chunk) => String(chunk).includes('is running') && resolve(true))),
    ended.then(() => false),
  ]);
  if (up) {
    await runJest(tally, {
      name: `conformance of the embedded system, profile ${profile}`,
      pattern: 'tests/conformance/dist/test/(?!senders)',
      folder,
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
  tally.count(up && code === 0);
  print(`the embedded system, profile ${profile}, ${up ? `stopped with exit code ${code}` : 'did not start'}`);
}

ensureInstalled();
ensureBuilt();
ensureTestBus();
const [profile] = process.argv.slice(2);
headline(
  profile === undefined ? 'black box: the embedded system under two profiles' : `conformance, profile ${profile}`,
);
// One test at a time in each: two systems side by side are what two workers are elsewhere.
await runKind(profile === undefined ? 'black-box' : 'conformance', (tally, folder) =>
  Promise.all((profile === undefined ? ['default', 'ms'] : [profile]).map((each) => walkEmbedded(tally, folder, each))),
);
