import type { Link, LinkBuilder, Resource } from '@ringdown/hypermedia';

/**
 * Real clients look for `user`, the specification prints `User`: both are there.
 * With `redirect`, the document has the discovery URL of the system that serves the domain, and no user URL
 * (web-interface.md, section 1).
 */
export function discoveryResource(links: LinkBuilder, redirect?: string): Resource {
  const next: Link[] =
    redirect === undefined
      ? [
          { rel: 'user', href: links.user },
          { rel: 'User', href: links.user },
        ]
      : [{ rel: 'redirect', href: redirect }];
  return {
    rel: 'root',
    href: links.discovery,
    links: [...next, { rel: 'xframe', href: links.crossFrame }],
    withoutRel: true,
  };
}

/**
 * `redirect` as in {@link discoveryResource}. `revoke`, the URL to revoke the token, is
 * our addition: it belongs to the system that issued the token, whichever system serves the user.
 */
export function userResource(links: LinkBuilder, redirect?: string): Resource {
  const next: Link =
    redirect === undefined
      ? { rel: 'applications', href: links.applicationsOfUser }
      : { rel: 'redirect', href: redirect };
  return {
    rel: 'user',
    href: links.ownUser,
    links: [next, { rel: 'revoke', href: links.signOutOfUser }, { rel: 'xframe', href: links.crossFrameOfUser }],
    withoutRel: true,
  };
}
