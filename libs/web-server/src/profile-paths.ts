import { defaultProfile, type WebNames, type WebPaths } from '@ringdown/vendor-profile';

/**
 * The path and query of a request target. A server has to take whole URLs as well (RFC 9112, 3.2.2); anything else that
 * is no path (`*`, other schemes) becomes one that nobody serves.
 */
export function pathAndQuery(target: string): string {
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * A path whose length does not change when it is written in lower case. The router looks for `/timeline` behind a CallId where it
 * stands in lower case, and cuts the CallId out of what was sent. This is the one letter whose lower case is longer.
 */
export function withEvenLowerCase(target: string): string {
  const path = pathOf(target);
  return path.replaceAll(/%C4%B0/gi, 'i%CC%87') + target.slice(path.length);
}

/**
 * The code knows one set of paths, those of the default profile. This turns the public paths of a profile into them:
 * compared without regard to case, with doubled slashes taken as one (web-interface.md, sections 0 and 15a).
 */
export function profilePathRewriter(web: WebNames): (url: string) => string {
  const own = defaultProfile.web.paths;
  const kinds: readonly (keyof WebPaths)[] = ['user', 'signOut', 'token', 'crossFrame', 'api', 'discovery'];
  const rules = kinds.flatMap((kind) =>
    web.paths[kind].map((path) => ({ from: path.toLowerCase(), to: own[kind][0] ?? '/', whole: kind !== 'api' })),
  );
  return (url) => {
    const queryAt = url.indexOf('?');
    const rawPath = queryAt === -1 ? url : url.slice(0, queryAt);
    const path = rawPath.replaceAll(/\/{2,}/g, '/');
    const lower = path.replace(/(.)\/$/, '$1').toLowerCase();
    const rule = rules.find(({ from, whole }) => lower === from || (!whole && lower.startsWith(`${from}/`)));
    const query = queryAt === -1 ? '' : url.slice(queryAt);
    return (rule === undefined ? path : rule.to + path.slice(rule.from.length)) + query;
  };
}

/** Without query and fragment. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
