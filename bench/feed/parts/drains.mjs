// Aggregators that write a backlog, and the history behind one of them.
import { startPostgresServer } from '../../postgres-server.mjs';
import { drain, makeBacklog } from '../drain.mjs';
import { FILL_SETTINGS, fillHistory, requestPages, requestStatistics, requestTotals } from '../history.mjs';
import { compareWays } from '../infix.mjs';
import { operatorOf } from '../operator.mjs';
import { PLAN_SETTINGS, Plans } from '../plans.mjs';
import { log, logger, postgres, startAggregator, startEmbedded, withDatabase } from '../system.mjs';
import { feed, RECORDS_A_CALL } from '../traffic.mjs';

/** They share the partitions while they run. */
export function benchReplicas(options) {
  return withDatabase(async (servers, nats, server) => {
    const start = () => Promise.all([1, 2].map(() => startAggregator(servers, nats, server)));
    return drain({ records: await backlog(nats, options), server, start });
  });
}

async function backlog(nats, { records, open: openCalls }) {
  const calls = Math.ceil(records / RECORDS_A_CALL);
  log(`draining ${calls * RECORDS_A_CALL} records …`);
  return makeBacklog(nats.url, feed({ calls, openCalls, begin: Date.now() - 3_600_000 }));
}

export function benchHistory(options) {
  const work = (...running) => benchDrainAndHistory(options, ...running);
  if (options.database === 'embedded') return withDatabase(work, startEmbedded);
  return withDatabase(work, () => startPostgresServer(postgres, { ...PLAN_SETTINGS, ...FILL_SETTINGS }));
}

async function benchDrainAndHistory(options, servers, nats, server) {
  const records = await backlog(nats, options);
  let aggregator;
  const start = async () => [(aggregator = await startAggregator(servers, nats, server))];
  const drained = await drain({ records, server, start });
  log(`filling the history with ${options.calls} calls …`);
  const filled = await fillHistory(server, options.calls, log);
  const operator = await operatorOf(nats.url, logger);
  try {
    log('reading pages …');
    const plans = server.logFolder === undefined ? undefined : new Plans(server);
    const cpu = () => server.cpuSeconds();
    const pages = await requestPages(aggregator.base, operator.token, { plans, cpu, log });
    const totals = await requestTotals(aggregator.base, operator.token);
    log('reading statistics …');
    const statistics = await requestStatistics(aggregator.base, operator.token);
    // Without an index, and without a second core, the other ways take minutes.
    if (server.isEmbedded || options.ilike === 'no') return { drained, ...filled, pages, totals, statistics };
    log('searching for parts of texts …');
    return { drained, ...filled, pages, totals, statistics, ways: await compareWays(server) };
  } finally {
    await operator.stop();
  }
}
