// The results of the part `profile`, as text.
import { table } from '../report.mjs';
import { ms, percent, whole } from './formats.mjs';

const GROUPS = 16;
const FUNCTIONS = 30;
const STATEMENTS = 16;

export function profileReport(paces) {
  return paces.map(paceReport).join('\n\n');
}

function paceReport({ pace, share, answered, queryable, micros, recordsPerMessage, publishMs, services, statements }) {
  const processes = Object.entries(micros).map(([name, value]) => `${name} ${whole(value)}`);
  const parts = [
    `At ${whole(pace)} records/s (${whole(answered)} answered, both cores ${percent(share)} busy until all was stored, p99 ${ms(queryable.p99)} ms from POST to queryable): µs a record ${processes.join(', ')}. ${recordsPerMessage.toFixed(1)} records a message of the bus, ${ms(publishMs)} ms until it is stored.`,
    ...Object.entries(services).flatMap(([name, service]) => serviceReport(name, service)),
    table([
      ['statement', 'calls a record', 'rows', 'µs executing', 'µs planning', 'WAL bytes'],
      ...statements
        .slice(0, STATEMENTS)
        .map(({ query, calls, rows, executing, planning, wal }) => [
          query.replaceAll('|', '/'),
          calls.toFixed(3),
          rows.toFixed(2),
          executing.toFixed(1),
          planning.toFixed(1),
          whole(wal),
        ]),
    ]),
  ];
  return parts.join('\n\n');
}

function serviceReport(name, { utilization, collecting, cpu, groups, functions }) {
  return [
    `${name}: its loop is ${percent(utilization)} busy; µs of processor a record ${whole(cpu)}, ${collecting.toFixed(1)} of garbage collection.`,
    table([[`${name}, by room`, 'µs a record'], ...rows(groups, GROUPS)]),
    table([[`${name}, by function`, 'µs a record'], ...rows(functions, FUNCTIONS)]),
  ];
}

function rows(pairs, most) {
  return pairs.slice(0, most).map(([what, value]) => [what, value.toFixed(1)]);
}
