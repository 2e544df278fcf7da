/**
 * How long a view takes from its address to the calls in it, with an empty and with a filled browser cache, next to one
 * response of the same system. A part of `npm run bench:console`.
 */
import { anHour } from '../../apps/console/dist/test/an-hour.js';
import { openPage, signIn, startBrowser } from '../../apps/console/dist/test/browser.js';
import { System } from '../../apps/console/dist/test/system.js';
import { VIEWS } from '../../apps/console/dist/test/views.js';
import { measuredOn, table } from '../report.mjs';

const TIMES = 11;

export async function benchOpenings() {
  const system = await System.start();
  const browser = await startBrowser();
  try {
    await system.post(...anHour());
    const { page } = await openPage(browser, system);
    await signIn(page, system, 'carol');
    const devtools = await page.context().newCDPSession(page);
    const rows = [];
    for (const { name, path, sign } of VIEWS) {
      const open = async () => {
        await page.goto(path, { waitUntil: 'commit' });
        // Checks in each frame; `waitFor` of a locator checks only twice a second after a while.
        await page.waitForFunction(isThere, sign);
      };
      await open();
      await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
      const first = await medianOf(open);
      await devtools.send('Network.setCacheDisabled', { cacheDisabled: false });
      rows.push([name, first.toFixed(0), (await medianOf(open)).toFixed(0)]);
    }
    const answer = await medianOf(() => page.request.get('/console/'));
    return { rows, answer };
  } finally {
    await browser.close();
    await system.stop();
  }
}

/** Runs in the page. */
function isThere({ css, text }) {
  return [...document.querySelectorAll(css)].some(({ textContent }) => textContent.includes(text));
}

async function medianOf(work) {
  const times = [];
  for (let n = 0; n < TIMES; n++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(TIMES / 2)];
}

export function openingsReport({ rows, answer }) {
  return `From the address to the calls of an hour in the view of a signed-in user; medians of ${TIMES} times, with Chromium on the same
machine. The page itself, asked for alone, takes ${answer.toFixed(0)} ms. ${measuredOn()}

${table([['view', 'first time, ms', 'with its files kept, ms'], ...rows])}
`;
}
