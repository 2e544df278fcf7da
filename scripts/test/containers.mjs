// `npm run nx -- containers`: the integration tests that are about the servers themselves, on containers.
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureTestServers, print } from '../prepare.mjs';
import { dockerAnswers, imageSettings } from './docker.mjs';
import { runJest } from './jest-run.mjs';
import { runKind } from './tally.mjs';

/**
 * Bus, database, directory. The rest has been run, and would learn nothing new, and so with libs that start none of them; of the
 * faults, only what a full disk does to PostgreSQL itself. A bus that comes back shorter (`shorter-`) is left out, as its files are changed from here, and so it is a
 * process of this machine there, too.
 */
const ABOUT_SERVERS =
  '(apps/aggregator|libs/(?!embedded|call-capture|capture|feed-client|xml-schemas)[^/]+)/dist/test/(?!faults/(kills|outages|clocks|shorter|full-disk-captures)|fuzz/|captures|shorter-|poison-)';

function removeContainers(run) {
  const filter = `label=ringdown-test=${run}`;
  const { stdout } = spawnSync('docker', ['ps', '--all', '--quiet', '--filter', filter], { encoding: 'utf8' });
  const left = stdout.split('\n').filter((id) => id !== '');
  if (left.length === 0) return;
  print(`removing ${left.length} container(s) that tests have left behind`);
  spawnSync('docker', ['rm', '--force', '--volumes', ...left], { stdio: ['ignore', 'ignore', 2] });
}

ensureInstalled();
ensureBuilt();
ensureTestServers();

await runKind('containers', async (tally, folder) => {
  if (!dockerAnswers()) return;
  const run = basename(folder);
  await runJest(tally, {
    name: 'integration tests on containers',
    pattern: ABOUT_SERVERS,
    folder,
    workers: 2,
    env: {
      ...imageSettings(),
      RINGDOWN_TEST_ON: 'containers',
      RINGDOWN_TEST_RUN: run,
      // It would be one more image to get; what tests leave behind is removed here.
      TESTCONTAINERS_RYUK_DISABLED: 'true',
    },
  });
  removeContainers(run);
});
