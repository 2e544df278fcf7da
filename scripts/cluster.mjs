// `npm run test:cluster`: breaks each part of a whole cluster again and again (apps/ringdown/test/cluster), and prints a table.
// `npm run test:cluster -- 'full disk'`: only faults with this text in their name.
// RINGDOWN_CLUSTER_MINUTES: after how long it begins no more tries (12).
import { reportOf } from './fault-report.mjs';
import { fail } from './prepare.mjs';

const { rows, status } = reportOf('ringdown/dist/test/cluster/', { RINGDOWN_CLUSTER_FAULT: process.argv[2] ?? '' });

const seconds = (value) => (value < 10 ? value.toFixed(1) : Math.round(value));
console.log('| Fault | Tries | Lost | Doubled | Time to recover, median (longest), s |');
console.log('| --- | ---: | ---: | ---: | ---: |');
for (const { fault, lost, doubled, seconds: times } of rows) {
  const sorted = times.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(half)] ?? 0) + (sorted[Math.ceil(half)] ?? 0)) / 2;
  console.log(
    `| ${fault} | ${sorted.length} | ${lost} | ${doubled} | ${seconds(median)} (${seconds(sorted.at(-1) ?? 0)}) |`,
  );
}
if (status !== 0) fail('the cluster lost something or did not recover, see above');
