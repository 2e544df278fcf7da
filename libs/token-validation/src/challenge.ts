import { diagnosis } from '@ringdown/web-server';
import type { WebNames } from '@ringdown/vendor-profile';

/** The diagnosis number of deployed servers for a missing or invalid token. */
const NO_VALID_TOKEN = 28_020;

/** The grants that the token service accepts, as listed in the challenge. */
function grantTypes(web: WebNames): readonly string[] {
  return [`${web.grantPrefix}anonmeeting`, 'password'];
}

/**
 * Values of `WWW-Authenticate` for a request without a valid token, each for a header of its own. Real clients parse
 * the first with fixed patterns: `href` first, double quotes, no blanks, `grant_type` last; and some of them expect a
 * second one (web-interface.md, sections 2 and 13).
 */
export function challenges(web: WebNames, publicOrigin: string): string[] {
  const href = `${publicOrigin}${web.paths.token[0] ?? ''}`;
  return [`${web.challengeScheme} href="${href}",grant_type="${grantTypes(web).join(',')}"`, 'Bearer realm="uc"'];
}

/** All headers of a 401 response that tell a client how to get a token. */
export function challengeHeaders(
  web: WebNames,
  publicOrigin: string,
  reason: string,
): Record<string, string | string[]> {
  return {
    'www-authenticate': challenges(web, publicOrigin),
    ...diagnosis(web, publicOrigin, NO_VALID_TOKEN, reason),
  };
}
