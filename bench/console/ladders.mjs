/**
 * How long the page of a call with many SIP messages takes to open, its longest task and the rows that it renders. A part of
 * `npm run bench:console`.
 */
import { longestTask, openPage, signIn, startBrowser, signedInToken } from '../../apps/console/dist/test/browser.js';
import { longTrace } from '../../apps/console/dist/test/messages.js';
import { endXml, startXml } from '../../apps/console/dist/test/records.js';
import { System } from '../../apps/console/dist/test/system.js';
import { measuredOn, table } from '../report.mjs';

const COUNTS = [40, 500, 2_000];
const IN_A_BATCH = 250;
const TIMES = 5;

export async function benchLadders() {
  const system = await System.start();
  const browser = await startBrowser();
  try {
    const { page } = await openPage(browser, system);
    await signIn(page, system, 'carol');
    const rows = [];
    for (const count of COUNTS) {
      const callId = `traced-${count}`;
      await system.post(startXml({ callId, ago: count + 10 }), endXml({ callId, ago: 1 }));
      const messages = longTrace(callId, count);
      for (let n = 0; n < count; n += IN_A_BATCH) await system.postMessages(messages.slice(n, n + IN_A_BATCH));
      await stored(page, callId, count);
      const opened = [];
      for (let n = 0; n < TIMES; n++) opened.push(await open(page, callId, count));
      const median = (name) => opened.map((each) => each[name]).toSorted((a, b) => a - b)[Math.floor(TIMES / 2)];
      rows.push([String(count), median('ms').toFixed(0), median('task').toFixed(0), String(median('drawn'))]);
    }
    return rows;
  } finally {
    await browser.close();
    await system.stop();
  }
}

async function open(page, callId, count) {
  const began = performance.now();
  await page.goto(`/console/calls/${callId}`, { waitUntil: 'commit' });
  const half = (count / 2).toLocaleString('en');
  await page.getByRole('button', { name: `Requests ${half}`, exact: true }).waitFor();
  await page.getByRole('option').first().waitFor();
  const ms = performance.now() - began;
  return { ms, task: await longestTask(page), drawn: await page.getByRole('option').count() };
}

async function stored(page, callId, count) {
  const headers = { authorization: `Bearer ${await signedInToken(page)}` };
  for (;;) {
    const answer = await page.request.get(`/api/calls/${callId}/messages`, { headers });
    const { items = [] } = await answer.json();
    if (items.length === count) return;
    await page.waitForTimeout(200);
  }
}

export function laddersReport(rows) {
  return `The page of a call from its address to its ladder; medians of ${TIMES} times. A longest task of 0 ms
was shorter than 50 ms. ${measuredOn()}

${table([['SIP messages', 'opened, ms', 'longest task, ms', 'rows rendered'], ...rows])}
`;
}
