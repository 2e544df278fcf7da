import { findProgram } from '@ringdown/testing';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { System } from './system.js';

/** Generous: the machine may have other things to do. */
const PATIENCE = 30_000;
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
  const viewport = { width: 1280, height: 800 };
  // The certificate is made at first start.
  const context = await browser.newContext({ ignoreHTTPSErrors: true, baseURL: system.origin, viewport, ...options });
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

/** What axe takes for a serious or critical barrier, in words. */
export async function barriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  const violations = await page.evaluate<readonly AxeViolation[]>('axe.run().then((result) => result.violations)');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html} ${node.failureSummary}`));
}

/** How far the page itself is wider or higher than the window, in pixels; what is long is scrolled inside of it. */
export function overflow(page: Page): Promise<number> {
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
