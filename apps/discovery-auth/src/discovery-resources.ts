import type { LinkBuilder, Resource } from '@ringdown/hypermedia';

/** Spec, "Discovery document"; real clients look for `user`, the specification prints `User`: both are there. */
export function discoveryResource(links: LinkBuilder): Resource {
  const user = links.user;
  return {
    rel: 'root',
    href: links.discovery,
    links: [
      { rel: 'user', href: user },
      { rel: 'User', href: user },
    ],
    withoutRel: true,
  };
}

/** Spec, "User resource". */
export function userResource(links: LinkBuilder): Resource {
  return {
    rel: 'user',
    href: links.ownUser,
    links: [{ rel: 'applications', href: links.applicationsOfUser }],
    withoutRel: true,
  };
}
