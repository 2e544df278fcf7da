import type { Link, LinkBuilder, Resource } from '@ringdown/hypermedia';

/**
 * Spec, "Discovery document"; real clients look for `user`, the specification prints `User`: both are there. With
 * `redirect`, the discovery URL of the system where the domain is at home, and no user URL (web-interface.md, section 1).
 */
export function discoveryResource(links: LinkBuilder, redirect?: string): Resource {
  const onwards: Link[] =
    redirect === undefined
      ? [
          { rel: 'user', href: links.user },
          { rel: 'User', href: links.user },
        ]
      : [{ rel: 'redirect', href: redirect }];
  return {
    rel: 'root',
    href: links.discovery,
    links: [...onwards, { rel: 'xframe', href: links.crossFrame }],
    withoutRel: true,
  };
}

/**
 * Spec, "User resource"; `redirect` as in {@link discoveryResource}. `revoke`, where the token is given back, is ours: it is
 * of the system that gave the token, wherever the user is at home.
 */
export function userResource(links: LinkBuilder, redirect?: string): Resource {
  const onwards: Link =
    redirect === undefined
      ? { rel: 'applications', href: links.applicationsOfUser }
      : { rel: 'redirect', href: redirect };
  return {
    rel: 'user',
    href: links.ownUser,
    links: [onwards, { rel: 'revoke', href: links.signOutOfUser }, { rel: 'xframe', href: links.crossFrameOfUser }],
    withoutRel: true,
  };
}
