/**
 * How long views take to open, and what the live view costs a browser: thousands of calls in progress and hundreds of
 * changes per second, sent through a running system. Build first, then `npm run bench:console`; with `-- --write` the
 * tables are written to docs/performance.md. Scripting is processor time of the page's thread, so other work on the
 * machine does not count.
 */
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openPage, signIn, startBrowser } from '../../apps/console/dist/test/browser.js';
import { endXml, lossXml, startXml } from '../../apps/console/dist/test/records.js';
import { System } from '../../apps/console/dist/test/system.js';
import { measuredOn, table, writeReport } from '../report.mjs';
import { benchLadders, laddersReport } from './ladders.mjs';
import { benchOpenings, openingsReport } from './openings.mjs';

const CALLS = Number(process.env.BENCH_CALLS ?? 5_000);
const PER_SECOND = Number(process.env.BENCH_CHANGES ?? 200);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const ROUNDS = 3;
const AT_ONCE = 25;
const MOST_UNDERWAY = 200;

export async function benchConsole() {
  const system = await System.start();
  const browser = await startBrowser();
  try {
    await inBatches(CALLS, (n) => system.post(startXml(call(n))));
    const { page } = await openPage(browser, system);
    await signIn(page, system, 'carol', '/console/live');
    await page
      .getByRole('heading', { name: `${CALLS.toLocaleString('en')} calls in progress` })
      .waitFor({ timeout: 180_000 });
    await page.getByText('not listed yet').waitFor({ state: 'detached', timeout: 180_000 });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const rows = [];
    let next = CALLS;
    for (let round = 1; round <= ROUNDS; round++) {
      const before = await figuresOf(devtools);
      const watched = await watch(page);
      const sent = await change(system, next, SECONDS / ROUNDS);
      next = sent.next;
      const seen = await page.evaluate((handle) => handle.stop(), watched);
      const after = await figuresOf(devtools);
      const share = (name) => `${Math.round(((after[name] - before[name]) * 100) / sent.seconds)} %`;
      const row = [
        `${Math.round(sent.seconds * round)} s`,
        (sent.changes / sent.seconds).toFixed(0),
        String(seen.most),
        (seen.drawings / sent.seconds).toFixed(1),
        share('ScriptDuration'),
        share('TaskDuration'),
        (after.JSHeapUsedSize / 1e6).toFixed(0),
        String(after.Nodes),
      ];
      console.error(row.join(' | '), `load ${loadavg()[0].toFixed(1)}`);
      rows.push(row);
    }
    // Nothing was lost or is still on its way.
    const total = `${CALLS.toLocaleString('en')} calls in progress`;
    await page.getByRole('heading', { name: total }).waitFor({ timeout: 60_000 });
    return rows;
  } finally {
    await browser.close();
    await system.stop();
  }
}

/** Of every two changes one makes a call worse or better, the others end the oldest call and begin a new one. */
async function change(system, first, seconds) {
  const began = performance.now();
  const underway = new Set();
  let [next, changes] = [first, 0];
  const elapsed = () => (performance.now() - began) / 1000;
  while (elapsed() < seconds) {
    const due = Math.floor(elapsed() * PER_SECOND) - changes;
    if (due < 4) {
      await pause(5);
      continue;
    }
    const loss = changes % 3 === 0 ? 0.4 : 0.001;
    const records = [
      lossXml(call(next - 1 - ((changes * 7) % (CALLS - 100))), loss),
      lossXml(call(next - 2 - ((changes * 11) % (CALLS - 100))), loss),
      endXml(call(next - CALLS)),
      startXml(call(next)),
    ];
    for (const record of records) {
      const post = system.post(record).finally(() => underway.delete(post));
      underway.add(post);
    }
    if (underway.size > MOST_UNDERWAY) await Promise.race(underway);
    next++;
    changes += records.length;
  }
  await Promise.all(underway);
  return { next, changes, seconds: elapsed() };
}

function call(n) {
  return {
    callId: `call-${n}`,
    from: `user${n % 400}`,
    to: `user${(n * 7) % 400}`,
    frontEnd: `fe${n % 4}.example.test`,
  };
}

/** Counts how often the list is rendered, and its maximum number of rows. */
function watch(page) {
  return page.evaluateHandle(() => {
    const list = document.querySelector('[role=table]');
    const counts = { drawings: 0, most: 0 };
    const observer = new MutationObserver(() => {
      counts.drawings++;
      counts.most = Math.max(counts.most, list.querySelectorAll('[data-call-id]').length);
    });
    observer.observe(list, { subtree: true, childList: true, attributes: true, characterData: true });
    return { stop: () => (observer.disconnect(), counts) };
  });
}

async function figuresOf(devtools) {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

async function inBatches(count, work) {
  for (let n = 0; n < count; n += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - n) }, (_, k) => work(n + k)));
  }
}

export function consoleReport(rows) {
  const head = ['after', 'changes/s', 'rows drawn', 'drawings/s', 'scripting', 'whole thread', 'MB heap', 'nodes'];
  return `${CALLS.toLocaleString('en')} calls in progress and ${PER_SECOND} changes a second for ${SECONDS} s, in Chromium; shares are of one core.
${measuredOn()}

${table([head, ...rows])}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const openings = openingsReport(await benchOpenings());
  console.log(openings);
  const ladders = laddersReport(await benchLadders());
  console.log(ladders);
  const report = consoleReport(await benchConsole());
  console.log(report);
  if (process.argv.includes('--write')) {
    writeReport('bench:console openings', openings);
    writeReport('bench:console ladders', ladders);
    writeReport('bench:console', report);
  }
  process.exit(0);
}
