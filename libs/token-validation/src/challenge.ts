import { setting } from '@ringdown/settings';
import type { WebNames } from '@ringdown/vendor-profile';

export const challengeSettings = {
  publicOrigin: setting.origin('PUBLIC_ORIGIN', {
    default: 'https://localhost:8443',
    about: 'What absolute URLs start with: the address under which clients reach the web interface',
  }),
};

/** The grants that the token service takes, as the challenge lists them. */
const GRANTS = ['password'];

/**
 * Value of `WWW-Authenticate` for a request without a valid token. Real clients read it with fixed patterns: `href`
 * first, double quotes, no blanks, `grant_type` last (web-interface.md, section 2).
 */
export function challenge(web: WebNames, publicOrigin: string): string {
  return `${web.challengeScheme} href="${publicOrigin}${web.paths.token[0] ?? ''}",grant_type="${GRANTS.join(',')}"`;
}
