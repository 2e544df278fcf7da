import { diagnosis } from '@ringdown/web-server';
import type { WebNames } from '@ringdown/vendor-profile';

/** The deployed server's number for a token that is missing or not good. */
const NO_VALID_TOKEN = 28_020;

/** The grants that the token service takes, as the challenge lists them. */
function grantTypes(web: WebNames): readonly string[] {
  return [`${web.grantPrefix}anonmeeting`, 'password'];
}

/**
 * Values of `WWW-Authenticate` for a request without a valid token, each for a line of its own. Real clients read the
 * first with fixed patterns: `href` first, double quotes, no blanks, `grant_type` last; and some of them expect a
 * second line (web-interface.md, sections 2 and 15a).
 */
export function challenges(web: WebNames, publicOrigin: string): string[] {
  const href = `${publicOrigin}${web.paths.token[0] ?? ''}`;
  return [`${web.challengeScheme} href="${href}",grant_type="${grantTypes(web).join(',')}"`, 'Bearer realm="uc"'];
}

/** Every header by which a 401 tells a client what to do. */
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
