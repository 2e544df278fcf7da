import { errorReason } from '@ringdown/errors';
import { lookup } from 'node:dns/promises';

/** A host of a setting that has no address, with the reason. */
export interface UnresolvedHost {
  readonly host: string;
  readonly reason: string;
}

/** The hosts of some URLs that the resolver of this machine does not find now. */
export async function unresolvedHosts(urls: readonly string[]): Promise<UnresolvedHost[]> {
  const found = await Promise.all(
    urls.map(async (url) => {
      const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
      try {
        await lookup(host);
        return [];
      } catch (error) {
        return [{ host, reason: errorReason(error) }];
      }
    }),
  );
  return found.flat();
}
