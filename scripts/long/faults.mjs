// `npm run test:faults`: runs the faults of apps/aggregator and apps/ringdown in their long form, and prints a table of the records.
import { reportOf } from './fault-report.mjs';
import { fail } from '../prepare.mjs';

const pattern = `(aggregator|ringdown)/dist/test/faults/${process.argv[2] ?? ''}`;
const { rows, status } = reportOf(pattern, { RINGDOWN_OUTAGE_SECONDS: '60' });

console.log('| Fault | Tries | Acknowledged | Lost | Doubled |');
console.log('| --- | ---: | ---: | ---: | ---: |');
const byName = rows.toSorted((a, b) => (a.fault < b.fault ? -1 : 1));
for (const { fault, tries, acknowledged, lost, doubled } of byName) {
  console.log(`| ${fault} | ${tries} | ${acknowledged} | ${lost} | ${doubled} |`);
}
if (status !== 0) fail('a fault lost records or failed, see above');
