import type { Page } from 'playwright-core';
import { allProcessed, signIn } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { postIncidents } from './operator/incidents.js';
import { Operator } from './operator/operator.js';
import { WEEK } from './operator/week.js';
import { DEMO_SITES, RunningDemo } from './running-demo.js';

/** Enough for feeds, alerts and calls in progress; what is looked for is in the incidents. */
const PAST_HOURS = 0.5;
const LEAST_TASKS = 25;

describe("an operator's week", () => {
  const ui = consoleUnderTest({ SITES_FILE: DEMO_SITES });
  let demo: RunningDemo | undefined;
  let page: Page;
  let problems: readonly string[];

  beforeAll(async () => {
    demo = await RunningDemo.start(ui.system, PAST_HOURS);
    await postIncidents(ui.system);
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol', '/console/live');
    await allProcessed(page);
  });
  afterAll(() => demo?.stop());

  it('has at least 25 tasks', () => expect(WEEK.length).toBeGreaterThanOrEqual(LEAST_TASKS));

  it.each(WEEK)('$question', async ({ run }) => {
    const { clicks, keys } = await new Operator(page).measured(run);
    expect(clicks + keys).toBeGreaterThan(0);
    expect(problems).toEqual([]);
  });
});
