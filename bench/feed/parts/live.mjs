// Memory with many calls that go on.
import { sharedMegabytes, treeOf } from '../../process-tree.mjs';
import { drain, makeBacklog } from '../drain.mjs';
import { log, posting, rest, startAggregator, startCollector, withDatabase } from '../system.mjs';
import { starts } from '../traffic.mjs';
import { Watch } from '../watch.mjs';

/** The share of the calls whose start is posted to the collector, so that it is counted as one that has worked. */
const POSTED = 5;

/** Returns what `drain` does, and `{ calls, shared }`: megabytes of each process. */
export function benchLive({ live: calls }) {
  return withDatabase(async (servers, nats, server) => {
    log(`starting ${calls} calls that go on …`);
    const posted = Math.floor(calls / POSTED);
    const records = await makeBacklog(nats.url, starts({ calls: calls - posted }));
    let aggregator;
    const start = async () => [(aggregator = await startAggregator(servers, nats, server))];
    const drained = await drain({ records, server, start });
    const collector = await startCollector(servers, nats);
    const watch = new Watch(server);
    await watch.start();
    await posting({ base: collector.base, seconds: 120, most: posted, starts: true });
    await watch.untilStored(calls);
    await watch.stop();
    await rest();
    const pids = { collector: collector.pid, bus: nats.pid, aggregator: aggregator.pid, PostgreSQL: server.pid };
    const shared = Object.entries(pids).map(([name, pid]) => [name, sharedMegabytes(treeOf(pid))]);
    return { ...drained, calls, shared: Object.fromEntries(shared) };
  });
}
