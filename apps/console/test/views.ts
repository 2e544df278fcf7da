import type { Page } from 'playwright-core';

export interface View {
  readonly name: string;
  readonly path: string;
  /** Resolves when calls that have come in are shown there; of people, who is signed in (Carol). */
  readonly shows: (page: Page) => Promise<unknown>;
}

/** The views of an operator. */
export const VIEWS: readonly View[] = [
  { name: 'live', path: '/console/live', shows: (page) => page.locator('[data-call-id]').first().waitFor() },
  {
    name: 'search',
    path: '/console/calls?last=7d&verdict=bad',
    shows: (page) => page.locator('tbody tr').first().waitFor(),
  },
  {
    name: 'quality',
    path: '/console/quality?last=24h',
    shows: (page) =>
      page
        .getByRole('list', { name: 'Streams altogether' })
        .getByRole('link', { name: /bad streams/ })
        .waitFor(),
  },
  {
    name: 'feeds',
    path: '/console/feeds',
    shows: (page) => page.getByRole('rowheader', { name: 'fe01' }).waitFor(),
  },
  { name: 'people', path: '/console/people', shows: (page) => page.getByText('Carol Cooper').first().waitFor() },
];
