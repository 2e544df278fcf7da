// New applications of this checkout and of another one, one after the other and several times, beside the least that a POST costs.
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { measuredOn, table } from '../report.mjs';
import { CLIENTS, measureBare, measureBareStore, measureNewApplications, SECONDS } from './new-applications.mjs';

const TURNS = Number(process.env.BENCH_TURNS ?? 3);
const PROCESSES = ['service', 'nats', 'auth', 'client'];

/** `before`: the folder of the other checkout; without it, only this one is measured. */
export async function turnsReport(before) {
  const [load] = loadavg();
  const measures = {
    ...(before === undefined ? {} : { before: () => measureNewApplications(folderUrl(before)) }),
    now: () => measureNewApplications(),
    'one entry stored by Fastify': measureBareStore,
    'bare Fastify': measureBare,
  };
  const rows = [];
  for (let turn = 1; turn <= TURNS; turn++) {
    const figures = new Map();
    for (const [name, measure] of Object.entries(measures)) {
      process.stderr.write(`turn ${turn} of ${TURNS}: ${name} …\n`);
      figures.set(name, await measure());
    }
    const least = figures.get('bare Fastify').perSecond;
    for (const [name, measured] of figures) rows.push(rowOf(turn, name, measured, least));
  }
  const head = ['turn', 'what', 'a second', 'of the bare', 'p50, ms', 'p99, ms', 'CPU, ms', ...PROCESSES];
  return `${CLIENTS} clients that ask again as soon as they are answered, for ${SECONDS} s each after 2 s that do not count. "CPU" is the processor time
of all processes for one POST, and the next columns are its parts. ${measuredOn()} What else ran there: a load of ${load.toFixed(1)} before the first row.

${table([head, ...rows])}
`;
}

function rowOf(turn, name, { perSecond, p50, p99, cpuMs }, least) {
  const all = Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
  return [
    String(turn),
    name,
    perSecond.toFixed(0),
    (perSecond / least).toFixed(3),
    p50.toFixed(1),
    p99.toFixed(1),
    all.toFixed(2),
    ...PROCESSES.map((process) => cpuMs[process]?.toFixed(2) ?? '-'),
  ];
}

function folderUrl(folder) {
  return pathToFileURL(`${resolve(folder)}/`);
}
