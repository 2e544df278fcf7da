// `npm run nx -- compose`: the compose file brought up with three collectors and two aggregators, walked by the conformance
// suite, and taken down again.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root } from '../prepare.mjs';
import { composeSettings, dockerAnswers } from './docker.mjs';
import { runJest } from './jest-run.mjs';
import { headline, runKind, testEnv } from './tally.mjs';

const compose = join(root, 'deploy', 'ci', 'compose.sh');

ensureInstalled();
ensureBuilt();

await runKind('compose', async (tally, folder) => {
  if (!dockerAnswers()) return;
  const env = { ...testEnv, ...composeSettings() };
  headline('compose');
  const up = spawnSync(compose, ['up'], {
    cwd: root,
    env: { ...env, COLLECTOR_REPLICAS: '3', AGGREGATOR_REPLICAS: '2' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
  });
  if (tally.count(up.status === 0)) {
    const system = JSON.parse(up.stdout);
    await runJest(tally, {
      name: 'conformance of the compose system',
      pattern: 'tests/conformance/dist/test/',
      folder,
      workers: 1,
      apart: true,
      env: {
        RINGDOWN_WEB_URL: system.origin,
        RINGDOWN_COLLECTOR_URL: system.collector,
        RINGDOWN_CA_FILE: system.caFile,
        RINGDOWN_USERS_FILE: system.firstUsersFile,
        RINGDOWN_PROFILE: 'default',
        RINGDOWN_SENDERS: system.senders,
      },
    });
    tally.check('compose: the demo profile keeps the replicas', compose, ['demo'], { env });
  }
  tally.check('compose: down', compose, ['down'], { env });
});
