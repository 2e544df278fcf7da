import type { Page, Request } from 'playwright-core';

/** The console draws its first view within a second, on a busy machine within a few. */
const EMPTY_MS = 20_000;
const ANSWER_MS = 5_000;
const KEPT_LINES = 50;

/** Writes what a page waits for that stays empty after it was loaded: its test only says what it did not find. */
export function reportWhenEmpty(page: Page): void {
  const lines: string[] = [];
  const pending = new Set<Request>();
  const since = performance.now();
  const note = (line: string): void => {
    lines.push(`${Math.round(performance.now() - since)} ms: ${line}`);
    if (lines.length > KEPT_LINES) lines.shift();
  };
  page.on('request', (request) => pending.add(request));
  page.on('requestfinished', (request) => {
    pending.delete(request);
    note(`loaded ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    pending.delete(request);
    note(`failed ${request.url()}: ${request.failure()?.errorText}`);
  });
  page.on('console', (message) => note(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => note(`error: ${error.message}`));
  page.on('crash', () => note('the page has crashed'));
  page.on('load', () => {
    note(`page ${page.url()}`);
    const timer = setTimeout(() => void report(), EMPTY_MS).unref();
    page.once('close', () => clearTimeout(timer));
  });

  async function report(): Promise<void> {
    const drawn = await answerOf(page, `document.querySelector('#root')?.childElementCount ?? 'no #root'`);
    if (typeof drawn === 'number' && drawn > 0) return;
    const content = await answerOf(page, `document.visibilityState + ' ' + document.documentElement.outerHTML`);
    const waiting = [...pending].map((request) => `waiting for ${request.url()}`);
    const seen = [...lines, ...waiting, `content: ${String(content).slice(0, 2_000)}`];
    const title = `${page.url()} is empty ${EMPTY_MS / 1_000} s after it was loaded (${String(drawn)})`;
    process.stderr.write(`${[title, ...seen].join('\n')}\n`);
  }
}

/** With a time limit: what hangs may be the page or the connection to its browser. */
async function answerOf(page: Page, expression: string): Promise<unknown> {
  const timeUp = new Promise((resolve) => setTimeout(resolve, ANSWER_MS, 'no answer').unref());
  return Promise.race([page.evaluate(expression).catch((error: unknown) => String(error)), timeUp]);
}
