export interface View {
  readonly name: string;
  readonly path: string;
  /** What is there once calls that have come in are shown; of people, who is signed in (Carol). */
  readonly sign: Sign;
}

/** Elements as CSS selects them, one of which has this text. */
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
    sign: { css: '[aria-label="Streams altogether"] a[aria-label*="bad streams"]', text: '' },
  },
  { name: 'feeds', path: '/console/feeds', sign: { css: 'th[scope="row"]', text: 'fe01' } },
  { name: 'people', path: '/console/people', sign: { css: 'h1', text: 'Carol Cooper' } },
];
