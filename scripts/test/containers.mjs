// `npm run nx -- containers`: the integration tests that are about the servers themselves, on containers.
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureTestBus, print } from '../prepare.mjs';
import { ensureTestServers } from '../test-servers.mjs';
import { dockerAnswers, imageSettings } from './docker.mjs';
import { runJest } from './jest-run.mjs';
import { startSharedPostgres } from './shared-postgres.mjs';
import { runKind } from './tally.mjs';

/**
 * What asks a server for something that another build of it could answer otherwise: statements and plans of the database, streams
 * and permissions of the bus, entries of the directory, and how each goes away and comes back. Integration tests run all of them, and
 * the others, on processes of this machine.
 */
const ABOUT_SERVERS = [
  'apps/aggregator/dist/test/(call-filters|call-pages|dead-letters|frozen-database|history|large-batches|lost-records)',
  'apps/aggregator/dist/test/(metric-statistics|migration|outages|prepared-|queries|read-|search-plans|statistics)',
  'apps/aggregator/dist/test/(suggestions|traces|transactions|faults/full-disk\\.|faults/read-only)',
  'libs/feed-bus/dist/test/(bundle-permission|dead-letters|lost-messages|partition-backlog|record-path|stored-again|stream-)',
  'libs/nats/dist/test/(accounts-upgrade|bucket|entry-writer|lagging-replica|replies|stream-)',
  'libs/directory/dist/test/(active-directory|ldap-)',
].join('|');

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
ensureTestBus();
ensureTestServers();

await runKind('containers', async (tally, folder) => {
  if (!dockerAnswers()) return;
  const run = basename(folder);
  const places = {
    ...imageSettings(),
    RINGDOWN_TEST_ON: 'containers',
    RINGDOWN_TEST_RUN: run,
    // It would be one more image to get; what tests leave behind is removed here.
    TESTCONTAINERS_RYUK_DISABLED: 'true',
  };
  const postgres = await startSharedPostgres(places);
  await runJest(tally, {
    name: 'integration tests on containers',
    pattern: ABOUT_SERVERS,
    folder,
    workers: 2,
    apart: true,
    env: { ...places, ...postgres.env },
  });
  await postgres.stop();
  removeContainers(run);
});
