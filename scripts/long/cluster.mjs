// `npm run test:cluster`: breaks each part of a whole cluster again and again (apps/ringdown/test/cluster), and prints a table.
// `npm run test:cluster -- 'full disk'`: only faults with this text in their name.
// RINGDOWN_CLUSTER_MINUTES: after how long it begins no more tries (12).
// RINGDOWN_CLUSTER_RESULTS: a file to which the results are added; the table is then of all runs in it.
import { appendFileSync, readFileSync } from 'node:fs';
import { reportOf } from './fault-report.mjs';
import { fail } from '../prepare.mjs';

const { rows, status } = reportOf('ringdown/dist/test/cluster/', { RINGDOWN_CLUSTER_FAULT: process.argv[2] ?? '' });

const results = process.env.RINGDOWN_CLUSTER_RESULTS;
if (results !== undefined) for (const row of rows) appendFileSync(results, `${JSON.stringify(row)}\n`);

/** One row for each fault: the sum of all runs. */
function ofAllRuns() {
  if (results === undefined) return rows;
  const all = new Map();
  for (const line of readFileSync(results, 'utf8').trimEnd().split('\n')) {
    const { fault, lost, doubled, seconds } = JSON.parse(line);
    const before = all.get(fault) ?? { fault, lost: 0, doubled: 0, seconds: [] };
    all.set(fault, {
      fault,
      lost: before.lost + lost,
      doubled: before.doubled + doubled,
      seconds: [...before.seconds, ...seconds],
    });
  }
  return [...all.values()];
}

const seconds = (value) => (value < 10 ? value.toFixed(1) : Math.round(value));
console.log('| Fault | Tries | Lost | Doubled | Time to recover, median (longest), s |');
console.log('| --- | ---: | ---: | ---: | ---: |');
for (const { fault, lost, doubled, seconds: times } of ofAllRuns()) {
  const sorted = times.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(half)] ?? 0) + (sorted[Math.ceil(half)] ?? 0)) / 2;
  console.log(
    `| ${fault} | ${sorted.length} | ${lost} | ${doubled} | ${seconds(median)} (${seconds(sorted.at(-1) ?? 0)}) |`,
  );
}
if (status !== 0) fail('the cluster lost something or did not recover, see above');
