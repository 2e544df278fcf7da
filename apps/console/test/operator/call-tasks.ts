import type { Operator } from './operator.js';
import { INCIDENTS } from './incidents.js';
import type { Task } from './task.js';

/** Adds a filter by the form under "More filters". */
async function addFilter(on: Operator, field: string, value: string, isChoice = false): Promise<void> {
  await on.click(on.page.getByRole('button', { name: 'More filters' }));
  const adder = on.page.getByRole('group', { name: 'Add a filter' });
  await on.choose(adder.getByLabel('Field'), field);
  if (isChoice) await on.choose(adder.getByLabel('Value'), value);
  else await on.type(adder.getByLabel('Value'), value);
  await on.click(adder.getByRole('button', { name: 'Add', exact: true }));
}

async function search(on: Operator, words: string): Promise<void> {
  await on.open('Search');
  await on.type(on.page.getByRole('combobox', { name: 'Search calls' }), words);
}

/** Opens the first call of this user or number; until it is found, the list has other calls. */
async function openFirst(on: Operator, words: string): Promise<void> {
  await search(on, words);
  await on.press('Enter');
  await on.click(on.found.filter({ hasText: words }).first().getByRole('link').first());
}

/** Questions about calls. */
export const CALL_TASKS: readonly Task[] = [
  {
    question: 'Which headset makes calls bad?',
    before: { missing: 'a ranking: "Worst devices" counted user agents' },
    run: async (on) => {
      await on.open('Quality');
      await on.sees(on.region('What stands out').getByRole('link', { name: /^brava 90 usb: \d+ of \d+ calls bad/i }));
    },
  },
  {
    question: 'Which calls were these?',
    before: { longer: 'by its name, once that was known' },
    run: async (on) => {
      await on.open('Quality');
      await on.click(on.region('What stands out').getByRole('link', { name: /^brava 90 usb:/i }));
      await on.sees(on.found.getByText(/headset-\d+-a/));
    },
  },
  {
    question: 'Was it only this call?',
    before: { missing: 'the calls around a call' },
    run: async (on) => {
      await openFirst(on, 'headset-3-a');
      await on.sees(on.region('Was it only this call?').getByText(/^No: more trouble than usual with .*Brava 90 USB/i));
    },
  },
  {
    question: 'Which calls had one-way audio in the last day?',
    before: { missing: 'one-way audio of a call' },
    run: async (on) => {
      await search(on, 'one-way');
      await on.click(on.page.getByRole('option', { name: 'Audio: one-way audio' }));
      await on.sees(on.found.filter({ hasText: INCIDENTS.unheard }));
    },
  },
  {
    question: 'Who heard nothing in such a call?',
    before: { missing: 'one-way audio of a call' },
    run: async (on) => {
      await openFirst(on, INCIDENTS.unheard);
      await on.sees(on.page.getByText(/heard nothing of/));
    },
  },
  {
    question: 'Which calls were transferred?',
    before: { missing: 'the filter' },
    run: async (on) => {
      await on.open('Search');
      await addFilter(on, 'Transferred', 'yes', true);
      await on.sees(on.found.filter({ hasText: INCIDENTS.transferredBy }));
    },
  },
  {
    question: 'Whom did one person call?',
    before: { longer: 'among all calls of this person' },
    run: async (on) => {
      await on.open('Search');
      await addFilter(on, 'Caller', `${INCIDENTS.caller}@example.test`);
      await on.sees(on.found.filter({ hasText: INCIDENTS.caller }));
    },
  },
  {
    question: 'Which calls rang without an answer?',
    before: { missing: 'the filter; statuses also find calls that never rang' },
    run: async (on) => {
      await on.open('Search');
      await addFilter(on, 'Rang out', 'yes', true);
      await on.sees(on.found.filter({ hasText: INCIDENTS.rangAt }));
    },
  },
  {
    question: 'Why did a call fail, at which server and trunk?',
    before: { longer: 'the trunk among the parties, the server in a record' },
    run: async (on) => {
      await openFirst(on, INCIDENTS.refused);
      const why = on.page.getByRole('note', { name: 'Why the call ended' });
      await on.sees(why.getByText(`Refused by ${INCIDENTS.gateway} (trunk ${INCIDENTS.trunk}).`));
    },
  },
  {
    question: 'Which calls were refused with 503?',
    before: 'possible',
    run: async (on) => {
      await on.open('Search');
      await on.type(on.page.getByLabel('SIP status'), '503');
      await on.press('Enter');
      await on.sees(on.found.filter({ hasText: INCIDENTS.refused }));
    },
  },
  {
    question: 'Which calls went over a trunk?',
    before: { longer: 'by its whole name, with More filters' },
    run: async (on) => {
      await search(on, 'kyst');
      await on.click(on.page.getByRole('option', { name: `Trunk: ${INCIDENTS.otherTrunk}` }));
      await on.sees(on.found.filter({ hasText: `${INCIDENTS.otherTrunk}-1` }));
    },
  },
  {
    question: 'Which calls had an echo?',
    before: { missing: 'causes of calls as a filter' },
    run: async (on) => {
      await search(on, 'echo');
      await on.sees(on.page.getByRole('option', { name: /^Cause: Echo/ }));
    },
  },
  {
    question: 'Which calls lost most packets, and how much?',
    before: { longer: 'the column was added by hand' },
    run: async (on) => {
      await on.open('Search');
      await on.choose(on.page.getByLabel('Sort by'), 'most loss first');
      await on.sees(on.page.locator('th[aria-sort="descending"]').getByText('Packet loss'));
      await on.sees(on.found.first().getByRole('cell', { name: /^\d+(\.\d+)?\s%$/ }));
    },
  },
  {
    question: 'What did devices say to each other in a failed call?',
    before: 'possible',
    run: async (on) => {
      await openFirst(on, INCIDENTS.refused);
      await on.sees(on.page.getByRole('listbox', { name: 'Ladder' }));
      await on.press('j');
      await on.sees(on.page.getByRole('option', { selected: true }).getByText(/503/));
    },
  },
  {
    question: 'Can others open this search by a name?',
    before: 'possible',
    run: async (on) => {
      await on.open('Search');
      await on.type(on.page.getByLabel('SIP status'), '503');
      await on.press('Enter');
      await on.page.waitForURL(/errorCode=503/);
      await on.click(on.page.getByRole('button', { name: 'Saved searches' }));
      const dialog = on.page.getByRole('dialog', { name: 'Saved searches' });
      await on.type(dialog.getByLabel('Save this search as'), 'Refused');
      await on.click(dialog.getByLabel('for all operators'));
      await on.click(dialog.getByRole('button', { name: 'Save', exact: true }));
      await on.sees(dialog.getByRole('button', { name: 'Make private: Refused' }));
    },
  },
];
