/**
 * How many clicks and keys the tasks of an operator's week take, and how many seconds of the page and the machine: scripted
 * as a user does them, each to its right answer. Build first, then `npm run bench:operator`; with `-- --write` the table is
 * written to docs/performance.md.
 */
import { openPage, signedInToken, signIn, startBrowser } from '../../apps/console/dist/test/browser.js';
import { postIncidents } from '../../apps/console/dist/test/operator/incidents.js';
import { Operator } from '../../apps/console/dist/test/operator/operator.js';
import { WEEK } from '../../apps/console/dist/test/operator/week.js';
import { DEMO_SITES, RunningDemo } from '../../apps/console/dist/test/running-demo.js';
import { System } from '../../apps/console/dist/test/system.js';
import { measuredOn, table, writeReport } from '../report.mjs';

/** A day and the story of the demo. */
const HOURS = 26;

async function benchOperator() {
  const system = await System.start({ SITES_FILE: DEMO_SITES });
  const browser = await startBrowser();
  const demo = await RunningDemo.start(system, HOURS);
  try {
    await postIncidents(system);
    const { page } = await openPage(browser, system);
    await signIn(page, system, 'carol', '/console/live');
    await processed(page);
    const efforts = [];
    for (const { question, before, run } of WEEK) {
      const effort = await new Operator(page).measured(run);
      console.error(question, effort);
      efforts.push({ question, before, ...effort });
    }
    return efforts;
  } finally {
    await demo.stop();
    await browser.close();
    await system.stop();
  }
}

/** Waits until everything that was posted is in the calls. */
async function processed(page) {
  const headers = { authorization: `Bearer ${await signedInToken(page)}` };
  for (;;) {
    const answer = await page.request.get('/api/services', { headers });
    const { partitions } = await answer.json();
    if (partitions.every(({ waitingMessages }) => waitingMessages === 0)) return;
    await page.waitForTimeout(500);
  }
}

function beforeWords(before) {
  if (before === 'possible') return 'possible';
  return 'longer' in before ? `longer: ${before.longer}` : `not possible, without ${before.missing}`;
}

function operatorReport(efforts) {
  const rows = efforts.map(({ question, clicks, keys, seconds, before }) => [
    question,
    String(clicks),
    String(keys),
    seconds.toFixed(1),
    beforeWords(before),
  ]);
  const count = (name) => efforts.filter(({ before }) => before !== 'possible' && name in before).length;
  const [lost, longer] = [count('missing'), count('longer')];
  return `${efforts.length} tasks, each from the live view to its right answer, on a system with the demo. Of these, ${lost} had no answer in the console of commit
c8ee6b49, and ${longer} a longer one. ${measuredOn()}

${table([['task', 'clicks', 'keys', 'seconds', 'before'], ...rows])}
`;
}

const report = operatorReport(await benchOperator());
console.log(report);
if (process.argv.includes('--write')) writeReport('bench:operator', report);
process.exit(0);
