// The results of bench:feed, as text. The first number of a cell is the median of its rounds.
import { measuredOn, table } from '../report.mjs';
import { ms, percent, share, whole } from './formats.mjs';
import { historyReport } from './history-tables.mjs';
import { profileReport } from './profile-tables.mjs';
import { statisticsReport } from './statistics-tables.mjs';
import { cell, median } from './rounds.mjs';

/** Machines of the same name differ: costs are also told for one that answers so many requests a second with node:http. */
const BARE_PER_SECOND = 52_000;
const PROCESSES = ['collector', 'bus', 'aggregator', 'PostgreSQL'];
/** Microseconds of processor time for a record at a pace that are wanted, and milliseconds until 99 % can be queried. */
const WANTED = new Map([
  [4_000, { micros: '200', p99: '300' }],
  [2_000, { micros: '250', p99: '-' }],
  [200, { micros: '1,000', p99: '-' }],
]);

/** Rows of the table behind the collector, by part. */
const ROWS = {
  history: ({ drained }) => drainRows('one aggregator drains', drained),
  replicas: (drained) => drainRows('two aggregators drain', drained),
  together: ({ paces }) => paces.flatMap(togetherRows),
  most: mostRows,
  live: liveRows,
  bytes: bytesRows,
  messages: messagesRows,
  embedded: embeddedRows,
};

/** Parts that were not measured are omitted; a missing PostgreSQL is mentioned. */
export function feedReport(figures) {
  const { load, collectors, together, tracing, history, profile } = figures;
  const behind = Object.entries(ROWS).flatMap(([part, rowsOf]) => (figures[part] ? rowsOf(figures[part]) : []));
  const parts = [
    `${measuredOn()} What else ran there: a load of ${load.toFixed(1)} before the first row.`,
    collectors && collectorsReport(figures),
    behind.length > 0 && table([['behind it', 'measured', 'wanted'], ...behind]),
    together && costReport(together),
    tracing && tracingReport(figures),
    history && historyReport(history),
    profile && profileReport(profile),
    figures.statistics && statisticsReport(figures.statistics),
    !figures.postgres && 'PostgreSQL is missing there, so nothing was measured behind the bus.',
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function collectorsReport({ collectors: rows, connections, seconds, warmUp }) {
  const [[bare, ofBare], , [, ofTextbook]] = rows; // Names and order as in parts/collectors.mjs.
  const cells = rows.map(([name, rounds]) =>
    rounds === undefined
      ? [`${name} (missing there)`, '-', '-', '-', '-', '-', '-']
      : [
          name,
          cell(rates(rounds), whole),
          ratio(rounds, ofBare),
          ratio(rounds, ofTextbook),
          cell(
            rounds.map(({ p50 }) => p50),
            ms,
          ),
          cell(
            rounds.map(({ p99 }) => p99),
            ms,
          ),
          microsCell(rounds),
        ],
  );
  const head = ['who answers', 'records/s', `of ${bare}`, 'of the textbook', 'p50, ms', 'p99, ms', 'processor, µs'];
  return `Records that were acknowledged, ${connections} connections that post again as soon as they are answered, in turns of ${seconds} s on the
machine that also serves them, after ${whole(warmUp)} records that are not counted: medians of the rounds (least to most). "Processor" is that of known processes for a record:

${table([head, ...cells])}`;
}

/** Both of the same round: what else the machine did hit both. */
function ratio(rounds, others) {
  if (others === undefined) return '-';
  return cell(
    rates(rounds).map((rate, round) => rate / rates(others)[round]),
    share,
  );
}

const rates = (rounds) => rounds.map(({ perSecond }) => perSecond);

function microsCell(rounds) {
  const names = Object.keys(rounds[0].micros);
  if (names.length === 0) return '-';
  const middle = (name) => median(rounds.map(({ micros }) => micros[name]));
  return names.map((name) => `${name} ${whole(middle(name))}`).join(', ');
}

function tracingReport({ tracing: { perSecond, turns }, seconds, connections }) {
  const rows = turns.map(({ without, beside }, turn) => [
    String(turn + 1),
    whole(without.perSecond),
    whole(beside.perSecond),
    share(beside.perSecond / without.perSecond),
    `${ms(without.p99)}, ${ms(beside.p99)}`,
    String(without.refused + beside.refused),
  ]);
  return `Records without and beside ${whole(perSecond)} SIP messages a second to the same collector, aggregator and PostgreSQL, in turns of ${seconds * 2} s, ${connections}
connections that post again as soon as they are answered:

${table([['turn', 'records/s without', 'beside messages', 'ratio', 'p99, ms', 'refused records'], ...rows])}`;
}

function drainRows(who, { records, perSecond, cores, databaseCores }) {
  return [
    [`${who} ${whole(records)} records into PostgreSQL, records/s`, whole(perSecond), '20,000'],
    ['… and use of the cores, Node + PostgreSQL', `${cores.toFixed(2)} + ${databaseCores.toFixed(2)}`, '-'],
  ];
}

function togetherRows([pace, rounds]) {
  const values = (valueOf, format) => cell(rounds.map(valueOf), format);
  const seen = rounds.reduce((sum, { queryable }) => sum + queryable.seen, 0);
  const missing = rounds.reduce((sum, { queryable }) => sum + queryable.missing, 0);
  const late = missing === 0 ? '' : `, ${missing} were not there within 30 s`;
  const what = `collector and aggregator together at ${whole(pace)} records/s: answered, records/s`;
  return [
    [what, values(({ posted }) => posted.perSecond, whole), whole(pace)],
    ['… from POST to queryable, p50, ms', values(({ queryable }) => queryable.p50, ms), '-'],
    [
      `… p99, ms (of ${whole(seen)} calls${late})`,
      values(({ queryable }) => queryable.p99, ms),
      WANTED.get(pace)?.p99 ?? '-',
    ],
    ['… both cores busy, until all is stored', values((round) => round.share, percent), pace === 4_000 ? '60 %' : '-'],
  ];
}

function costReport({ bare, paces }) {
  const rate = median(bare.map(({ perSecond }) => perSecond));
  const rows = paces.map(([pace, rounds]) => {
    const of = (name) => rounds.map(({ micros }) => micros[name]);
    const others = ['client', 'watch'].map((name) => whole(median(of(name))));
    const middle = PROCESSES.map((name) => whole(median(of(name))));
    const scaled = whole((median(of('all')) * rate) / BARE_PER_SECOND);
    return [whole(pace), ...middle, cell(of('all'), whole), scaled, WANTED.get(pace)?.micros ?? '-', ...others];
  });
  const heads = ['records/s', ...PROCESSES, 'these together', `at ${whole(BARE_PER_SECOND)} node:http/s`, 'wanted'];
  return `Processor time of a record, µs, by process; those that post and watch are apart. node:http answered ${cell(
    bare.map(({ perSecond }) => perSecond),
    whole,
  )} requests a second in the same minutes:

${table([[...heads, 'client', 'watch'], ...rows])}`;
}

function mostRows({ pace, minutes, isKept, queryable, share: busy, micros, acknowledged, lost, doubled }) {
  const what = `the most for ${minutes} minutes with p99 from POST to queryable below 1 s, records/s`;
  return [
    [isKept ? what : `${what} (not kept)`, whole(pace), '8,000'],
    ['… p99, ms; both cores busy; µs a record', `${ms(queryable.p99)}; ${percent(busy)}; ${whole(micros)}`, '-'],
    [`… of ${whole(acknowledged)} acknowledged records: lost; doubled`, `${lost}; ${doubled}`, '0; 0'],
  ];
}

function liveRows({ calls, megabytes, shared }) {
  const all = PROCESSES.reduce((sum, name) => sum + shared[name], 0);
  return [
    [`${whole(calls)} calls that go on, most memory of the aggregator, MB`, whole(megabytes), '600'],
    ['… in all, MB', whole(all), '400'],
    [`… ${PROCESSES.join(' + ')}, MB`, PROCESSES.map((name) => whole(shared[name])).join(' + '), '-'],
  ];
}

function bytesRows({ calls, firstCalls, first, all, tables, perSecond, bus }) {
  return [
    ['a call with its four records and all indexes, bytes', whole(all), '4,000'],
    [
      `… of ${whole(calls)} calls, with a vacuum after each ${whole(firstCalls)}; of the first of these`,
      whole(first),
      '-',
    ],
    ...tables.map(([name, { rows, rest, indexes }]) => [
      `… ${name}: rows + TOAST + indexes`,
      [rows, rest, indexes].map(whole).join(' + '),
      '-',
    ]),
    [
      `bytes of records on the bus per byte of feed, at ${whole(perSecond)} records/s; on the disk`,
      storedShares(bus.records),
      '-',
    ],
    ['… of changes of calls; on the disk', storedShares(bus.changes), '0.20'],
  ];
}

function storedShares({ stored, onDisk }) {
  return `${share(stored)}; ${share(onDisk)}`;
}

function messagesRows({ recordsPerSecond, perSecond, without, beside, stored, bytes }) {
  const count = (name) => beside.reduce((sum, { messages }) => sum + messages[name], 0);
  const both = (valueOf, format) => [without, beside].map((rounds) => cell(rounds.map(valueOf), format)).join('; ');
  const accepted = count('accepted');
  const micros = ((spent(beside) - spent(without)) / (accepted / beside.length)) * 1e6;
  return [
    [
      `SIP messages, ${whole(perSecond)}/s beside ${recordsPerSecond} records/s: accepted; rejected; stored`,
      [accepted, count('refused'), stored].map(whole).join('; '),
      'all',
    ],
    ['… processor time of a message, µs', whole(micros), '-'],
    ['… bytes of a message', whole(bytes), '250'],
    ['… p99 from POST to queryable of records, without; beside, ms', both(({ queryable }) => queryable.p99, ms), '-'],
    ['… both cores busy, without; beside', both((round) => round.share, percent), '-'],
  ];
}

const spent = (rounds) => median(rounds.map(({ used }) => used));

function embeddedRows({ perSecond, minutes, posted, queryable, grown, memory }) {
  return [
    [`embedded, ${perSecond} records/s for ${minutes} minutes: acknowledged`, whole(posted.acknowledged), '-'],
    ['… p99 from POST to queryable, ms', ms(queryable.p99), '-'],
    ['… growth of the database beyond its tables, MB', whole(grown.database - grown.tables), '64'],
    ['… of that its log of changes, MB', whole(grown.log), '-'],
    ['… of its tables; of the bus, MB', `${whole(grown.tables)}; ${whole(grown.bus)}`, '-'],
    ['… memory of all processes before; after, MB', memory.map(whole).join('; '), '-'],
  ];
}
