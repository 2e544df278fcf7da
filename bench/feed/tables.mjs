// The results of bench:feed, as text.
import { measuredOn, table } from '../report.mjs';

const whole = (value) => Math.round(value).toLocaleString('en-US');
const ms = (value) => value.toFixed(value < 10 ? 1 : 0);
const ratio = (value, other) => (value === undefined || other === undefined ? '-' : (value / other).toFixed(2));

/** Parts that were not measured are omitted; a missing PostgreSQL is mentioned. */
export function feedReport(figures) {
  const { load, collectors, together, tracing, live, replicas, history } = figures;
  const parts = [`${measuredOn()} What else ran there: a load of ${load.toFixed(1)} before the first row.`];
  if (collectors) parts.push(collectorsReport(figures));
  const behind = [
    ...(history ? drainRows('one aggregator drains', history.drained) : []),
    ...(replicas ? drainRows('two aggregators drain', replicas) : []),
    ...(together ?? []).flatMap(togetherRows),
    ...(live ? liveRows(live) : []),
  ];
  if (behind.length > 0) parts.push(table([['behind it', 'measured', 'wanted'], ...behind]));
  if (tracing) parts.push(tracingReport(figures));
  if (history) parts.push(historyReport(history));
  if (!figures.postgres) parts.push('PostgreSQL is missing there, so nothing was measured behind the bus.');
  return `${parts.join('\n\n')}\n`;
}

function collectorsReport({ collectors: rows, connections, seconds, warmUp }) {
  const figures = new Map(rows);
  const rate = (name) => figures.get(name)?.perSecond;
  const [[bare], , [textbook]] = rows; // Names and order as in feed.mjs.
  const cells = rows.map(([name, measured]) =>
    measured === undefined
      ? [`${name} (missing there)`, '-', '-', '-', '-', '-']
      : [
          name,
          whole(measured.perSecond),
          ratio(measured.perSecond, rate(bare)),
          ratio(measured.perSecond, rate(textbook)),
          ms(measured.p50),
          ms(measured.p99),
        ],
  );
  return `Records that were acknowledged, ${connections} connections that post again as soon as they are answered, for ${seconds} s each, on the
machine that also serves them, after ${whole(warmUp)} records that are not counted:

${table([['who answers', 'records/s', `of ${bare}`, 'of the textbook', 'p50, ms', 'p99, ms'], ...cells])}`;
}

function tracingReport({ tracing: { perSecond, turns }, seconds, connections }) {
  const rows = turns.map(({ without, beside }, turn) => [
    String(turn + 1),
    whole(without.perSecond),
    whole(beside.perSecond),
    ratio(beside.perSecond, without.perSecond),
    `${ms(without.p99)}, ${ms(beside.p99)}`,
    String(without.refused + beside.refused),
  ]);
  return `Records without and beside ${whole(perSecond)} SIP messages a second to the same collector, aggregator and PostgreSQL, in turns of ${seconds} s, ${connections}
connections that post again as soon as they are answered:

${table([['turn', 'records/s without', 'beside messages', 'ratio', 'p99, ms', 'refused records'], ...rows])}`;
}

function drainRows(who, { records, perSecond, cores, databaseCores }) {
  return [
    [`${who} ${whole(records)} records into PostgreSQL, records/s`, whole(perSecond), '8,000'],
    ['… and use of the cores, Node + PostgreSQL', `${cores.toFixed(2)} + ${databaseCores.toFixed(2)}`, '-'],
  ];
}

function togetherRows({ pace, posted, queryable }) {
  const missing = queryable.missing === 0 ? '' : `, ${queryable.missing} were not there within 30 s`;
  return [
    [
      `collector and aggregator together at ${whole(pace)} records/s: answered, records/s`,
      whole(posted.perSecond),
      whole(pace),
    ],
    ['… from POST to queryable, p50, ms', ms(queryable.p50), '-'],
    [`… p99, ms (of ${whole(queryable.seen)} calls${missing})`, ms(queryable.p99), '500'],
  ];
}

function liveRows({ calls, megabytes }) {
  return [[`${whole(calls)} calls that go on, most memory of the aggregator, MB`, whole(megabytes), '600']];
}

function historyReport({ calls, gigabytes, pages, totals, statistics, ways }) {
  const rowsOf = (asked) =>
    asked.map(({ question, code, p50, p99, worst, cpu, calls: found, indexes }) => {
      if (code !== undefined)
        return [question, `${code} after ${ms(p50)}`, '-', '-', ms(cpu), '-', ...(indexes === undefined ? [] : ['-'])];
      const times = [p50, p99, worst, ...(cpu === undefined ? [] : [cpu])].map(ms);
      return [question, ...times, whole(Math.round(found)), ...(indexes === undefined ? [] : [indexes])];
    });
  const indexHead = pages.some(({ indexes }) => indexes !== undefined) ? ['indexes of its plan'] : [];
  return `Pages of 50 out of ${whole(calls)} calls of 13 weeks (${gigabytes.toFixed(1)} GB with indexes), over HTTP, with the pages behind them; wanted: 100 ms. Parts of texts are searched 100 times, the others 20 times.

${table([['which calls', 'p50, ms', 'p99, ms', 'worst, ms', 'processor of the database, ms', 'calls on the first page', ...indexHead], ...rowsOf(pages)])}

How many calls there are; more than 10,000 are estimated.

${table([['total', 'p50, ms', 'p99, ms', 'worst, ms', 'calls'], ...rowsOf(totals)])}

Statistics, requested five times each.

${table([['statistic', 'p50, ms', 'worst, ms'], ...statistics.map(statisticRow)])}${ways === undefined ? '' : waysReport(ways)}`;
}

function statisticRow({ question, code, p50, worst }) {
  return code === undefined ? [question, ms(p50), ms(worst)] : [question, `${code} after ${ms(p50)}`, '-'];
}

function waysReport(ways) {
  const rows = ways.map(({ part, way, p50, worst }) => [part, way, ms(p50), ms(worst)]);
  return `

The same search for a part of a text, as SQL, in turns: by our index, and by ILIKE without one.

${table([['part of', 'way', 'p50, ms', 'worst, ms'], ...rows])}`;
}
