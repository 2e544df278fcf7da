// The results of the part `history`, as text.
import { table } from '../report.mjs';
import { ms, whole } from './formats.mjs';

export function historyReport({ calls, gigabytes, pages, totals, statistics, ways }) {
  const indexHead = pages.some(({ indexes }) => indexes !== undefined) ? ['indexes of its plan'] : [];
  return `Pages of 50 out of ${whole(calls)} calls of 13 weeks (${gigabytes.toFixed(1)} GB with indexes), over HTTP, with the pages behind them; wanted: 100 ms. Parts of texts are searched 100 times, the others 20 times.

${table([['which calls', 'p50, ms', 'p99, ms', 'worst, ms', 'processor of the database, ms', 'calls on the first page', ...indexHead], ...pageRows(pages)])}

How many calls there are; more than 10,000 are estimated.

${table([['total', 'p50, ms', 'p99, ms', 'worst, ms', 'calls'], ...pageRows(totals)])}

Statistics, requested five times each.

${table([['statistic', 'p50, ms', 'worst, ms'], ...statistics.map(statisticRow)])}${ways === undefined ? '' : waysReport(ways)}`;
}

function pageRows(asked) {
  return asked.map(({ question, code, p50, p99, worst, cpu, calls: found, indexes }) => {
    const indexCells = (value) => (indexes === undefined ? [] : [value]);
    if (code !== undefined) return [question, `${code} after ${ms(p50)}`, '-', '-', ms(cpu), '-', ...indexCells('-')];
    const times = [p50, p99, worst, ...(cpu === undefined ? [] : [cpu])].map(ms);
    return [question, ...times, whole(Math.round(found)), ...indexCells(indexes)];
  });
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
