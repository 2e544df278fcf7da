import type { VendorProfile } from '@ringdown/vendor-profile';

/** The URLs that a front end posts to. */
export interface CollectorAddress {
  readonly configuration: URL;
  readonly records: URL;
}

/**
 * Both URLs of a collector from one address. An origin without a path gets the path that senders of the profile's
 * vendor use, `/<sender_root>/RequestMessage`; a given path is the one for records, and its first segment is the
 * sender root for the configuration (diagnostics-feed.md, 1). Throws an Error that completes "the address …".
 */
export function collectorAddress(text: string, { feed }: VendorProfile): CollectorAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new Error(`must be a URL like http://localhost:8080, not "${text}"`);
  }
  if (url.username !== '' || url.password !== '') throw new Error('must not contain a user name or password');
  const root = url.pathname.split('/').find((segment) => segment !== '') ?? feed.senderRoot;
  const records = url.pathname === '/' ? new URL(`/${root}/RequestMessage`, url) : url;
  return { configuration: new URL(`/${root}/GetConfiguration`, url), records };
}
