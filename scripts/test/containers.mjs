// `npm run nx -- containers`: the integration tests that are about the servers themselves, on containers.
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureTestServers, print } from '../prepare.mjs';
import { dockerAnswers, imageSettings } from './docker.mjs';
import { runJest } from './jest-run.mjs';
import { runKind } from './tally.mjs';

/**
 * Bus, database, directory: what asks them something that another build of them could answer otherwise. The rest has been
 * run, and would learn nothing new. A cluster consists of processes here, too. A bus that comes back shorter (`shorter-`) is left out, as its files are changed from here,
 * and so it is a process of this machine there, too.
 */
const SAME_EVERYWHERE = [
  'faults/(backup|batch-kills|clocks|cluster|full-disk-captures|kills|outages|shorter|tracing)',
  'fuzz/',
  'alert-|backup|call-orders|calls-in-progress|captures|cluster|collector-answers|consistent-answers|dropped-messages|every-leaf|exports',
  'front-ends|identities|live-stream|metric-series|partitions|path-filters|poison-|records-become-calls|replicas',
  'saved-searches|search-owners|send-capture|services|shorter-|time-outs|timeline|trace-segments|wrong-clock',
  // These start their own database servers, as processes here, too.
  'database-(failover|pooler|servers)',
];
const LIBS_WITHOUT_SERVERS =
  'embedded|testing|call-capture|capture|feed-client|token-validation|web-service|xml-schemas';
const ABOUT_SERVERS = `(apps/aggregator|libs/(?!${LIBS_WITHOUT_SERVERS})[^/]+)/dist/test/(?!${SAME_EVERYWHERE.join('|')})`;

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
    apart: true,
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
