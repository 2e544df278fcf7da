/** More servers than a cluster of this product has; bounds the work for a wrong setting. */
const MAX_SERVERS = 16;

interface Parts {
  /** `scheme://` */
  readonly scheme: string;
  /** `user:password@`, or empty. */
  readonly user: string;
  readonly hosts: readonly string[];
  /** Path and query. */
  readonly rest: string;
}

/**
 * One URL for each server of a setting that may name several: `scheme://user@one:1,two:2/path`, or whole URLs separated
 * by commas. A URL after the first may leave out the user. Throws an Error that completes "NAME …".
 */
export function serverUrls(text: string): string[] {
  const [first, ...more] = text.split(/,(?= ?[a-z]+:\/\/)/).map((each) => splitServerUrl(each.trim()));
  if (first === undefined) throw new Error('must be a URL');
  const isAlike = ({ scheme, user, rest }: Parts): boolean =>
    scheme === first.scheme && (user === '' || user === first.user) && rest === first.rest;
  if (!more.every(isAlike)) throw new Error('must name servers with the same scheme, user and path');
  const hosts = [first, ...more].flatMap((each) => each.hosts);
  if (hosts.length > MAX_SERVERS) throw new Error(`must name at most ${MAX_SERVERS} servers`);
  const urls = hosts.map((host) => `${first.scheme}${first.user}${host}${first.rest}`);
  if (hosts.includes('') || !urls.every((url) => URL.canParse(url))) throw new Error('must be a URL');
  return urls;
}

function splitServerUrl(url: string): Parts {
  const start = url.indexOf('://') + 3;
  if (start === 2) throw new Error('must be a URL');
  const length = url.slice(start).search(/[/?#]/);
  const end = length === -1 ? url.length : start + length;
  // A password may contain a comma.
  const host = Math.max(start, url.lastIndexOf('@', end - 1) + 1);
  return {
    scheme: url.slice(0, start),
    user: url.slice(start, host),
    hosts: url
      .slice(host, end)
      .split(',')
      .map((each) => each.trim()),
    rest: url.slice(end),
  };
}
