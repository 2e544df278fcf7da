import type { Address } from '../running-system.js';

export interface AddressFacts {
  readonly origin: string;
  readonly hasConsole: boolean;
  readonly inner: string;
  readonly feedPorts: { readonly http: number | undefined; readonly https: number | undefined };
}

/** The addresses of a running system, in the order in which they are shown. */
export function systemAddresses({ origin, hasConsole, inner, feedPorts }: AddressFacts): Address[] {
  const feed = Object.entries(feedPorts).flatMap(([scheme, port]) =>
    port === undefined ? [] : [{ what: 'Diagnostics feed', url: `${scheme}://localhost:${port}/` }],
  );
  return [
    ...(hasConsole ? [{ what: 'Console', url: `${origin}/console/` }] : []),
    { what: 'Web interface and API', url: `${origin}/` },
    { what: 'Health and metrics', url: `${inner}/` },
    ...feed,
  ];
}

/** Of the first column of all that is printed, two spaces included. */
export const LABEL_WIDTH = 'Web interface and API'.length + 2;

export function addressLines(addresses: readonly Address[]): string[] {
  return addresses.map(({ what, url }) => `  ${what.padEnd(LABEL_WIDTH)} ${url}`);
}

/** Why a browser warns, and how to know that it is this system. */
/** `authority`: host of the one that has been asked for another certificate. */
export function fingerprintLine(fingerprint: string, authority?: string): string {
  const until = authority === undefined ? '' : ` until ${authority} issues one`;
  return `  ${'Certificate'.padEnd(LABEL_WIDTH)} made here${until}, so browsers warn about it: compare its fingerprint (SHA-256), then go on\n  ${' '.repeat(LABEL_WIDTH)} ${fingerprint}`;
}
