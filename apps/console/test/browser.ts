import { eventually, findProgram } from '@ringdown/testing';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { System } from './system.js';

/** Generous: the machine may have other things to do. */
const PATIENCE = 60_000;
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export function startBrowser(): Promise<Browser> {
  const executablePath = findProgram('chromium', 'the console is tested with it: apt-get install chromium');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** A page of its own session, and what went wrong in it: errors of scripts, and what the security policy stopped. */
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
    // The certificate is made at first start.
    ignoreHTTPSErrors: true,
    baseURL: system.origin,
    viewport: { width: 1280, height: 800 },
    // What fades in has other colours on its way.
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|net::ERR/.test(message.text()))
      problems.push(message.text());
  });
  return { page, problems };
}

/**
 * For what a page shows by and by: asserts again and again until that holds. What never does fails as it did last, with
 * what was expected and what was there.
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
  await eventually('the assertion', holds, PATIENCE).catch(() => {
    throw failure;
  });
}

/** Opens an address of the console and signs in there. */
export async function signIn(page: Page, system: System, name: string, path = '/console/'): Promise<void> {
  const { username, password } = system.user(name);
  await page.goto(path);
  await page.getByLabel('User name').fill(username);
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

/** That nothing is a serious or critical barrier to anybody, as axe sees it. */
export async function hasNoBarriers(page: Page): Promise<void> {
  await soon(async () => expect(await barriers(page)).toEqual([]));
}

async function barriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  const violations = await page.evaluate<readonly AxeViolation[]>('axe.run().then((result) => result.violations)');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html} ${node.failureSummary}`));
}

/** That the page itself is no wider or higher than the window: what is long is scrolled inside of it. */
export async function fits(page: Page): Promise<void> {
  await soon(async () => expect(await overflow(page)).toBe(0));
}

function overflow(page: Page): Promise<number> {
  return page.evaluate<number>(`(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    Math.max(scrollWidth - clientWidth, scrollHeight - clientHeight))(document.documentElement)`);
}

/** How much has jumped since the page was opened, without anybody touching it: the browser's measure, good below 0.1. */
export function jumps(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput);
      resolve(shifts.reduce((sum, { value }) => sum + value, 0));
    }).observe({ type: 'layout-shift', buffered: true });
    // Where nothing has moved, nothing is reported.
    setTimeout(() => resolve(0), 1000);
  })`);
}

/** The token of whoever is signed in there. */
export async function tokenOf(page: Page): Promise<string> {
  const authorization = await page.evaluate<string>(
    "JSON.parse(sessionStorage.getItem('ringdown.session')).authorization",
  );
  return authorization.replace(/^Bearer /, '');
}

interface Backlogs {
  readonly partitions: readonly { readonly waitingMessages: number }[];
}

/** Waits until the calls hold everything that was posted before: each part of the feed is read for itself. An operator's page. */
export async function allTaken(page: Page): Promise<void> {
  const headers = { authorization: `Bearer ${await tokenOf(page)}` };
  await soon(async () => {
    const answer = await page.request.get('/api/services', { headers });
    const { partitions }: Backlogs = await answer.json();
    expect(partitions.filter(({ waitingMessages }) => waitingMessages > 0)).toEqual([]);
  });
}

/** From now on the page asks for nothing by itself, as one that nobody looks at. */
export async function leftAlone(page: Page): Promise<void> {
  await page.evaluate("Object.defineProperty(document, 'visibilityState', { value: 'hidden' })");
}
