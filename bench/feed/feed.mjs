/**
 * The feed from the front ends into the history, measured part by part in one run on the loopback address, next to
 * other software for the same purpose. Build first, then `npm run bench:feed`; with `-- --write` the tables are written
 * to docs/performance.md, unless rounds of a row differ too much or other programs were busy. Rows are measured in turns of a few seconds.
 *   --seconds 4         how long a turn is; one at a pace is twice as long
 *   --records 100000    records in the backlog that is drained
 *   --live 100000       calls in progress at the same time
 *   --open 2000         calls that start before the first of them ends; 0: the records of a call come together (`together`, drains)
 *   --minutes 5         how long the highest pace is held, in the part `most`
 *   --pace 2000        … which is this one then, without a search
 *   --hour 60           minutes of the part `embedded`
 *   --calls 1000000     calls in the history that pages are read from (10000000 need 60 GB of disk)
 *   --database embedded the history in the embedded PostgreSQL, as with `npm start`; needs `--only history` or `statistics`
 *   --ilike no          without the searches that use no index: each takes a minute on a busy machine
 *   --only history      one part (collectors, together, bytes, most, messages, tracing, live, replicas, history, and embedded,
 *                       profile or statistics, which are in no whole run), only printed, never written
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { writeReport } from '../report.mjs';
import { WARM_UP } from './drain.mjs';
import { benchBytes } from './parts/bytes.mjs';
import { benchCollectors } from './parts/collectors.mjs';
import { benchHistory, benchReplicas } from './parts/drains.mjs';
import { benchEmbedded } from './parts/embedded.mjs';
import { benchLive } from './parts/live.mjs';
import { benchMessages } from './parts/messages.mjs';
import { benchMost } from './parts/most.mjs';
import { benchProfile } from './parts/profile.mjs';
import { benchStatistics } from './parts/statistics.mjs';
import { benchTogether } from './parts/together.mjs';
import { benchTracing } from './parts/tracing.mjs';
import { disturbed, unsteady } from './rounds.mjs';
import { CONNECTIONS, postgres } from './system.mjs';
import { feedReport } from './tables.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    records: { type: 'string', default: '100000' },
    live: { type: 'string', default: '100000' },
    open: { type: 'string' },
    minutes: { type: 'string', default: '5' },
    pace: { type: 'string' },
    hour: { type: 'string', default: '60' },
    calls: { type: 'string', default: '1000000' },
    database: { type: 'string', default: 'server' },
    ilike: { type: 'string', default: 'yes' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const NUMBERS = ['seconds', 'records', 'live', 'open', 'minutes', 'pace', 'hour', 'calls'];
const given = NUMBERS.filter((name) => values[name] !== undefined);
const options = { ...values, ...Object.fromEntries(given.map((name) => [name, Number(values[name])])) };

const parts = {
  collectors: benchCollectors,
  ...(postgres && {
    together: benchTogether,
    bytes: benchBytes,
    most: benchMost,
    messages: benchMessages,
    tracing: benchTracing,
    live: benchLive,
    replicas: benchReplicas,
    history: benchHistory,
  }),
};
const alone = { embedded: benchEmbedded, ...(postgres && { profile: benchProfile, statistics: benchStatistics }) };
const chosen = options.only === undefined ? parts : { [options.only]: { ...parts, ...alone }[options.only] };
const figures = {
  load: loadavg()[0],
  postgres: postgres !== undefined,
  seconds: options.seconds,
  connections: CONNECTIONS,
  warmUp: WARM_UP,
};
for (const [name, measured] of Object.entries(chosen)) {
  if (measured === undefined) throw new Error(`there is no part ${name} here`);
  figures[name] = await measured(options);
}
const report = feedReport(figures);
console.log(report);
const doubts = [...unsteady(steadyFigures(figures)), ...disturbed(foreignShares(figures))];
for (const doubt of doubts) console.error(doubt);
const isWritten = options.write && options.only === undefined && doubts.length === 0;
if (isWritten) writeReport('bench:feed', report);
if (options.write && !isWritten) console.error('docs/performance.md is left as it is');
process.exit(options.write && !isWritten ? 1 : 0);

/** What has to be the same in each round: rates and costs, but no times, which depend on the machine's other work. */
function steadyFigures({ collectors = [], together }) {
  return [
    ...collectors.flatMap(([name, rounds]) =>
      rounds === undefined ? [] : [[`${name}, records/s`, rounds.map(({ perSecond }) => perSecond)]],
    ),
    ...(together?.paces ?? []).map(([pace, rounds]) => [
      `collector and aggregator together at ${pace} records/s, µs a record`,
      rounds.map(({ micros }) => micros.all),
    ]),
  ];
}

function foreignShares({ collectors = [], together }) {
  const paces = (together?.paces ?? []).map(([pace, rounds]) => [`at ${pace} records/s`, rounds]);
  return [...collectors, ...paces].flatMap(([name, rounds]) => {
    const shares = (rounds ?? []).map(({ others }) => others).filter((share) => share !== undefined);
    return shares.length === 0 ? [] : [[name, shares]];
  });
}
