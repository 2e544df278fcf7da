import { eventually } from '@ringdown/testing/eventually';
import { findProgram } from '@ringdown/testing/find-program';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';
import { reportWhenEmpty } from './empty-page.js';
import type { System } from './system.js';

/** Generous, because the machine may be busy. */
const TIMEOUT_MS = 60_000;
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One with windows, which nobody sees. The tests of a file have a smaller one, that of `consoleUnderTest`. */
export function startBrowser(): Promise<Browser> {
  const executablePath = findProgram('chromium', 'the console is tested with it: apt-get install chromium');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** A page with its own session, and its problems: script errors, and violations of the security policy. */
export interface OpenedPage {
  readonly page: Page;
  readonly problems: readonly string[];
}

export async function openPage(
  browser: Browser,
  system: System,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({
    // The certificate is self-signed.
    ignoreHTTPSErrors: true,
    baseURL: system.origin,
    viewport: { width: 1280, height: 800 },
    // Colours would differ during a fade.
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  reportWhenEmpty(page);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|net::ERR/.test(message.text()))
      problems.push(message.text());
  });
  return { page, problems };
}

/**
 * For content that appears with a delay: repeats the assertion until it holds. Otherwise it fails with the last error, with
 * the expected and the actual value.
 */
export async function soon(assertion: () => Promise<void>): Promise<void> {
  let failure: unknown;
  const holds = async (): Promise<boolean> => {
    try {
      await assertion();
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  };
  await eventually('the assertion', holds, TIMEOUT_MS).catch(() => {
    throw failure;
  });
}

/** Opens an address of the console and signs in there. */
export async function signIn(page: Page, system: System, name: string, path = '/console/'): Promise<void> {
  const { username, password } = system.user(name);
  await page.goto(path);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
}

interface AxeViolation {
  readonly id: string;
  readonly impact: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Asserts that axe finds no serious or critical accessibility problem. */
export async function hasNoBarriers(page: Page): Promise<void> {
  await soon(async () => expect(await barriers(page)).toEqual([]));
}

async function barriers(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axeSource);
  // Without the elements that are in order, which take a third of the time.
  const violations = await page.evaluate<readonly AxeViolation[]>(
    "axe.run({ resultTypes: ['violations'] }).then((result) => result.violations)",
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html} ${node.failureSummary}`));
}

/** Asserts that the page does not scroll as a whole: long content scrolls inside of it. */
export async function fits(page: Page): Promise<void> {
  await soon(async () => expect(await overflow(page)).toBe(0));
}

/** Asserts both in light and dark, and in the size of a phone; the window keeps that size. */
export async function isAccessibleOnAnyScreen(
  page: Page,
  ready: () => Promise<void> = async () => undefined,
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await hasNoBarriers(page);
  }
  await page.setViewportSize({ width: 360, height: 640 });
  await ready();
  await fits(page);
  await hasNoBarriers(page);
}

/** Asserts both with each of these colours and widths, and that this part is narrower; the window keeps the last ones. */
export async function isAccessibleOn(
  page: Page,
  screens: readonly (readonly [colours: 'light' | 'dark', width: number])[],
  part: Locator,
): Promise<void> {
  for (const [colorScheme, width] of screens) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await hasNoBarriers(page);
    await fits(page);
    await soon(async () => expect((await part.boundingBox())?.width).toBeLessThan(width));
  }
}

/** Drags the mouse from the 11th to the 21st mark of a chart. */
export async function dragOver(chart: Locator): Promise<void> {
  const marks = chart.locator('a[data-words]');
  const { mouse } = chart.page();
  // Each waits until the chart no longer moves: what is above it may still be loading.
  await marks.nth(10).hover();
  await mouse.down();
  // The selection is over it then.
  await marks.nth(20).hover({ force: true });
  await mouse.up();
}

function overflow(page: Page): Promise<number> {
  return page.evaluate<number>(`(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    Math.max(scrollWidth - clientWidth, scrollHeight - clientHeight))(document.documentElement)`);
}

/**
 * The cumulative layout shift since the page was opened, as browsers report it (https://web.dev/articles/cls): the sum of
 * the worst window of shifts that are less than a second apart, of five seconds at most. Good below 0.1.
 */
export function jumps(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => {
      let [worst, sum, began, last] = [0, 0, -Infinity, -Infinity];
      for (const { value, startTime, hadRecentInput } of list.getEntries()) {
        if (hadRecentInput) continue;
        if (startTime - last >= 1000 || startTime - began >= 5000) [sum, began] = [0, startTime];
        sum += value;
        last = startTime;
        worst = Math.max(worst, sum);
      }
      resolve(worst);
    }).observe({ type: 'layout-shift', buffered: true });
    // Without a layout shift nothing is reported.
    setTimeout(() => resolve(0), 1000);
  })`);
}

/** The longest task since the page was opened, in milliseconds; 0 if all were short. */
export function longestTask(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(Math.max(...list.getEntries().map(({ duration }) => duration))))
      .observe({ type: 'longtask', buffered: true });
    // Nothing is reported without a long task.
    setTimeout(() => resolve(0), 1000);
  })`);
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Time of the thread on a processor, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The longest task of pages while `work` runs, in milliseconds on a processor: other work on the machine does not count. */
export async function longestTaskOnCpu(browser: Browser, page: Page, work: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await work();
  const { traceEvents }: { traceEvents: readonly TraceEvent[] } = JSON.parse(String(await browser.stopTracing()));
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const named = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const threads = new Set(named.map(threadOf));
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && threads.has(threadOf(event)));
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
}

/** The token of the user who is signed in. */
export async function signedInToken(page: Page): Promise<string> {
  const authorization = await page.evaluate<string>(
    "JSON.parse(sessionStorage.getItem('ringdown.session')).authorization",
  );
  return authorization.replace(/^Bearer /, '');
}

interface Backlogs {
  readonly partitions: readonly { readonly waitingMessages: number }[];
}

/** Waits until everything posted before is processed, in all partitions of the feed. Needs an operator's page. */
export async function allProcessed(page: Page): Promise<void> {
  const headers = { authorization: `Bearer ${await signedInToken(page)}` };
  await soon(async () => {
    const answer = await page.request.get('/api/services', { headers });
    const { partitions }: Backlogs = await answer.json();
    expect(partitions.filter(({ waitingMessages }) => waitingMessages > 0)).toEqual([]);
  });
}

/** From now on the page does not poll, like a hidden page. */
export async function stopPolling(page: Page): Promise<void> {
  await page.evaluate("Object.defineProperty(document, 'visibilityState', { value: 'hidden' })");
}
