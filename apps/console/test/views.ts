export interface View {
  readonly name: string;
  readonly path: string;
  /** Visible when the received calls are shown; for people, the signed-in user (Carol). */
  readonly sign: Sign;
}

/** A CSS selector, and the text of one of its elements. */
export interface Sign {
  readonly css: string;
  readonly text: string;
}

/** The views of an operator. */
export const VIEWS: readonly View[] = [
  { name: 'live', path: '/console/live', sign: { css: '[data-call-id]', text: '' } },
  { name: 'search', path: '/console/calls?last=7d&verdict=bad', sign: { css: 'tbody tr', text: '' } },
  {
    name: 'quality',
    path: '/console/quality?last=24h',
    sign: { css: '[aria-label="Total streams"] a[aria-label*="bad stream"]', text: '' },
  },
  { name: 'capacity', path: '/console/capacity?last=24h', sign: { css: 'th[scope="row"]', text: '' } },
  { name: 'feeds', path: '/console/feeds', sign: { css: 'th[scope="row"]', text: 'fe01' } },
  { name: 'people', path: '/console/people', sign: { css: 'h1', text: 'Carol Cooper' } },
];
