import type { Operator } from './operator.js';
import { INCIDENTS } from './incidents.js';
import { registrationsCapture } from './registrations-capture.js';
import type { Task } from './task.js';

const NO_CAPACITY = { missing: 'a view of capacity' };

async function openFeed(on: Operator, name: RegExp): Promise<void> {
  await on.open('Feeds');
  await on.click(on.region('Table of front ends').getByRole('link', { name }).first());
}

/** The row of a value in the table of capacity. */
function rowOf(on: Operator, name: string): ReturnType<Operator['region']> {
  const { page } = on;
  return page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
}

/** Questions about trunks, feeds, devices and alerts. */
export const SYSTEM_TASKS: readonly Task[] = [
  {
    question: 'What was the peak of a trunk last week, and when?',
    before: NO_CAPACITY,
    run: async (on) => {
      await on.open('Capacity');
      const name = new RegExp(`^${INCIDENTS.trunk}: ${INCIDENTS.peak} calls at the peak, `);
      await on.sees(rowOf(on, INCIDENTS.trunk).getByRole('link', { name }));
    },
  },
  {
    question: 'Which calls were there at this peak?',
    before: NO_CAPACITY,
    run: async (on) => {
      await on.open('Capacity');
      await on.click(rowOf(on, INCIDENTS.trunk).getByRole('link', { name: /calls at the peak/ }));
      await on.sees(on.found.nth(INCIDENTS.peak - 1).getByText(INCIDENTS.trunk));
    },
  },
  {
    question: 'How many calls may the trunk have? (an admin sets it)',
    before: NO_CAPACITY,
    run: async (on) => {
      await on.open('Capacity');
      await on.click(on.page.getByRole('button', { name: `Set limit: ${INCIDENTS.trunk}` }));
      const dialog = on.page.getByRole('dialog');
      await on.type(dialog.getByLabel('Simultaneous calls'), '4');
      await on.press('Enter');
      await on.sees(on.region(INCIDENTS.trunk).getByText(`at most ${INCIDENTS.peak} calls, limit 4`));
    },
  },
  {
    question: 'For how long was the trunk above its limit?',
    before: NO_CAPACITY,
    run: async (on) => {
      await on.open('Capacity');
      await on.sees(rowOf(on, INCIDENTS.trunk).getByText(/^[1-9] min$/));
    },
  },
  {
    question: 'How much bandwidth does each site need at most?',
    before: NO_CAPACITY,
    run: async (on) => {
      await on.open('Capacity');
      await on.choose(on.page.getByRole('combobox', { name: 'Load by' }), 'site');
      await on.sees(rowOf(on, 'Oslo').getByRole('link', { name: /^Oslo: .*bit\/s at the peak/ }));
    },
  },
  {
    question: 'How do two trunks compare?',
    before: { longer: 'two rows of a table, nothing marked' },
    run: async (on) => {
      await on.open('Quality');
      await on.choose(on.page.getByRole('combobox', { name: 'Compare', exact: true }), 'by trunk');
      await on.sees(on.region('Bad streams').getByRole('listitem').filter({ hasText: INCIDENTS.otherTrunk }));
    },
  },
  {
    question: 'Is the day worse than the one before?',
    before: 'possible',
    run: async (on) => {
      await on.open('Quality');
      await on.choose(on.page.getByRole('combobox', { name: 'Compare', exact: true }), 'with the period before');
      await on.sees(on.region('Answer-seizure ratio').getByText('the period before'));
    },
  },
  {
    question: 'Where and when were streams bad, by access point?',
    before: 'possible',
    run: async (on) => {
      await on.open('Quality');
      await on.choose(on.page.getByLabel('Rows'), 'by access point');
      await on.sees(on.page.getByRole('grid').getByRole('rowheader', { name: /9c-3d-cf-11-22-33/i }));
    },
  },
  {
    question: 'Which device cannot register?',
    before: 'possible',
    run: async (on) => {
      await on.open('Feeds');
      const row = on.region('Table of failing devices and trunks').getByRole('row', { name: INCIDENTS.device });
      await on.sees(row.getByText('REGISTER (403)'));
    },
  },
  {
    question: 'Which registrations failed in this capture?',
    before: { missing: 'a result for captures without calls' },
    run: async (on) => {
      await on.open('Feeds');
      await on.click(on.page.getByRole('link', { name: 'Upload a capture' }));
      await on.give(on.page.getByLabel('Capture file'), 'registrations.pcap', registrationsCapture());
      await on.click(on.page.getByRole('button', { name: 'Upload', exact: true }));
      await on.sees(on.page.getByText(`1 × REGISTER 403, ${INCIDENTS.device}`));
    },
  },
  {
    question: 'Did a feed have gaps?',
    before: { missing: 'a page of a feed' },
    run: async (on) => {
      await openFeed(on, /^fe1\.example\.test$/);
      await on.sees(on.region('Gaps').getByText('No gaps in the last day.'));
    },
  },
  {
    question: 'Is the clock of a front end right?',
    before: { missing: 'a page of a feed' },
    run: async (on) => {
      await openFeed(on, /^fe01/);
      await on.sees(on.region('Activity').getByText(/within a second|ahead|behind/));
    },
  },
  {
    question: 'Do all services keep up?',
    before: 'possible',
    run: async (on) => {
      await on.open('Feeds');
      await on.sees(on.region('Table of services').getByText(/up to date|behind the feed/));
    },
  },
  {
    question: 'Which calls are bad right now?',
    before: 'possible',
    run: async (on) => {
      await on.click(on.page.getByRole('button', { name: /^bad \d+$/ }));
      await on.sees(
        on.page.locator('[data-call-id]').or(on.page.getByText('No calls in progress match these filters.')),
      );
    },
  },
  {
    question: 'What would an alert have raised last week?',
    before: 'possible',
    run: async (on) => {
      await on.open('Alerts');
      await on.click(on.page.getByRole('link', { name: 'Demo: errors of a trunk' }).first());
      await on.click(on.page.getByRole('button', { name: /^Preview/ }));
      await on.sees(on.page.getByText(/^This rule would/));
    },
  },
  {
    question: 'Silence a rule during maintenance.',
    before: 'possible',
    run: async (on) => {
      await on.open('Alerts');
      await on.click(on.page.getByRole('button', { name: 'Silence Demo: too many bad calls' }));
      await on.click(on.page.getByRole('menuitem', { name: 'for 1 hour' }));
      await on.sees(on.page.getByText(/^silenced until/));
    },
  },
];
