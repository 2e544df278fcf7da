import { defaultProfile, type WebNames, type WebPaths } from '@ringdown/vendor-profile';

/**
 * The path and query of a request target. A server must accept whole URLs as well (RFC 9112, 3.2.2); any other target
 * that is not a path (`*`, other schemes) becomes a path that no route serves.
 */
export function pathAndQuery(target: string): string {
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * A path whose length does not change when it is written in lower case. The router finds `/timeline` after a CallId in
 * the lower-cased path, and cuts the CallId out of the original. This is the one letter whose lower case is longer.
 */
export function withEvenLowerCase(target: string): string {
  const path = urlPath(target);
  return path.replaceAll(/%C4%B0/gi, 'i%CC%87') + target.slice(path.length);
}

/**
 * The code knows one set of paths, those of the default profile. This turns the public paths of a profile into them:
 * compared without regard to case, with double slashes treated as one (web-interface.md, sections 0 and 13).
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
export function urlPath(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
