// The results of the part `statistics`, as text.
import { table } from '../report.mjs';
import { ms, whole } from './formats.mjs';

export function statisticsReport({ calls, gigabytes, counted, rows }) {
  const { seconds, aggregator, database, hours } = counted;
  return `Ranking and load of ${whole(calls)} calls in 13 weeks (${gigabytes.toFixed(1)} GB) with twenty sites, ten trunks, four front ends and three pools, over HTTP, each asked ${rows[0].asked} times, with filters ${rows.at(-1).asked}, or until it is rejected. ${whole(hours)}
hours were counted first, in ${whole(Math.round(seconds))} s: ${micros(aggregator, calls)} µs of processor time a call in the aggregator and ${micros(database, calls)} in the database.

${table([
  [
    'question',
    'p50, ms',
    'p99, ms',
    'worst, ms',
    'processor of the aggregator, ms',
    '… of the database, ms',
    'wanted, p99',
  ],
  ...rows.map(({ question, code, p50, p99, worst, cpu, wanted }) => [
    question,
    ...(code === undefined ? [p50, p99, worst].map(ms) : [`${code} after ${ms(worst)}`, '-', '-']),
    ms(cpu.aggregator),
    ms(cpu.database),
    whole(wanted),
  ]),
])}`;
}

function micros(seconds, calls) {
  return whole(Math.round((seconds / calls) * 1e6));
}
