/**
 * Names of front ends of uploaded captures: `upload~carol`, `upload~carol~proxy1`. No host has this character in its name, so no front
 * end is taken for an upload. Calls of uploads are no evidence of who is in a call now: presence, alerts, statistics and subscribers leave
 * them out.
 */
const PREFIX = 'upload~';
const MAX_USER = 64;

/** `name`: chosen by the uploader. */
export function uploadFeed(username: string, name?: string): string {
  const [user = ''] = username.split('@', 1);
  const uploader = user.replaceAll(/[^\w.-]/g, '_').slice(0, MAX_USER);
  return name === undefined ? `${PREFIX}${uploader}` : `${PREFIX}${uploader}~${name}`;
}

/** Not case-sensitive, as all names of front ends. */
export function isUploadFeed(name: string): boolean {
  return name.trimStart().slice(0, PREFIX.length).toLowerCase() === PREFIX;
}

/** The pattern of keys of such names, for `like` of SQL. */
export const UPLOAD_FEEDS_LIKE = `${PREFIX}%`;
