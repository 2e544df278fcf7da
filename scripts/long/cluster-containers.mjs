// `npm run test:cluster-containers`: deploy/cluster.yml brought up, each of its servers and services killed in turn under load, and
// taken down again. Needs a Docker engine, or root on Debian to set one up; takes about 15 minutes.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { statusOfTests } from './long-test.mjs';
import { ensureBuilt, ensureInstalled, fail, root } from '../prepare.mjs';
import { composeSettings } from '../test/docker.mjs';

ensureInstalled();
ensureBuilt();

const ci = join(root, 'deploy', 'ci');
const env = {
  ...process.env,
  ...composeSettings(),
  RINGDOWN_PROJECT: 'ringdown-cluster',
  RINGDOWN_COMPOSE_OVERLAY: 'deploy/cluster.yml',
  COLLECTOR_REPLICAS: '2',
  AGGREGATOR_REPLICAS: '2',
};
const run = (script, args, stdio) =>
  spawnSync(join(ci, script), args, { cwd: root, env, encoding: 'utf8', stdio: stdio ?? 'inherit' });

if (run('ensure-docker.sh', []).status !== 0) fail('no Docker engine can be used');
const problem = whatIsWrong();
run('stop-docker.sh', []);
if (problem !== undefined) fail(problem);

/** Undefined if the cluster lost nothing, and went on each time. */
function whatIsWrong() {
  if (env.RINGDOWN_BASE_IMAGES !== 'public' && run('make-base-images.sh', ['etcd']).status !== 0) return 'no images';
  const up = run('compose.sh', ['up'], ['ignore', 'pipe', 'inherit']);
  if (up.status !== 0) return 'the cluster did not start; without a registry, RINGDOWN_STAND_INS=1 makes its images';
  const system = JSON.parse(up.stdout);
  const tests = join(root, 'tests/conformance/dist/test/cluster/*.long.js');
  const status = statusOfTests(['--forceExit', '--verbose', '--testMatch', tests], {
    RINGDOWN_CLUSTER_PROJECT: env.RINGDOWN_PROJECT,
    RINGDOWN_WEB_URL: system.origin,
    RINGDOWN_COLLECTOR_URL: system.collector,
    RINGDOWN_CA_FILE: system.caFile,
    RINGDOWN_USERS_FILE: system.firstUsersFile,
    RINGDOWN_PROFILE: 'default',
  });
  run('compose.sh', ['down']);
  return status === 0 ? undefined : 'the cluster lost something, or did not go on: see above';
}
